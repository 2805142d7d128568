import { type Kysely, sql } from 'kysely'

/** What a session key signed can be listed by key, and its events name the key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The key: an address, or the coordinates of a P-256 key as text of JSON.
  await sql`
    create index operations_by_session on operations (account, (session_key->>'key'), signed_at desc)
      where session_key is not null and signed_at is not null`.execute(db)
  await sql`
    create index session_operations_by_time on operations (signed_at)
      where session_key is not null and signed_at is not null`.execute(db)
  await sql`
    create or replace function operation_event(kind text, op operations) returns void language sql as $$
      insert into events (type, account, network, data) values (
        'operation.' || kind, op.account, op.network, jsonb_strip_nulls(jsonb_build_object(
          'userOpHash', op.user_op_hash,
          'state', op.state,
          'final', op.final,
          'success', op.success,
          'txnHash', op.txn_hash,
          'blockNumber', op.block_number::text,
          'blockHash', op.block_hash,
          'gasCost', op.gas_cost::text,
          'sessionKey', op.session_key->'key',
          'reason', case when op.reason_code is not null
            then jsonb_build_object('code', op.reason_code, 'message', coalesce(op.reason_message, '')) end
        ))
      )
    $$`.execute(db)
}
