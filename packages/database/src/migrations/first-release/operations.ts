import { type Kysely, sql } from 'kysely'

/** User operations, from the build to a final block and the archive. */
export async function createOperations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operations (
      user_op_hash text primary key,
      account text not null references accounts (address),
      network int8 not null,
      entry_point text not null,
      nonce_key numeric(58, 0) not null,
      nonce_sequence numeric(20, 0) not null,
      user_op jsonb not null,
      safe_op_hash text not null,
      valid_after int8 not null,
      valid_until int8 not null,
      sign_mode text not null check (sign_mode in ('ECDSA', 'SESSION_KEY', 'WEBAUTHN')),
      value numeric(78, 0) not null,
      deploys boolean not null,
      -- A build may be deleted before the one that was meant to replace it.
      replaces text references operations (user_op_hash) on delete set null,
      state text not null
        check (state in ('built', 'submitting', 'submitted', 'included', 'dropped', 'expired')),
      final boolean not null default false,
      built_at timestamptz not null,
      build_expires_at timestamptz not null,
      signature text,
      signed_at timestamptz,
      signed_at_block int8,
      attempts int4 not null default 0,
      next_attempt_at timestamptz,
      txn_hash text,
      block_number int8,
      block_hash text,
      included_at timestamptz,
      success boolean,
      gas_cost numeric(78, 0),
      reason_code text,
      reason_message text,
      session_key jsonb,
      built_by text collate "C",
      sent_by text collate "C",
      -- The signed authorisation that an operation of an EOA carries until the EOA is delegated.
      eip7702_auth jsonb,
      -- What the account paid for its gas, in base units of the token that its paymaster data names.
      fee_paid numeric(78, 0) check (fee_paid >= 0),
      check (state in ('built', 'dropped', 'expired', 'included') or signature is not null),
      check (state <> 'included'
        or (txn_hash is not null and block_number is not null and block_hash is not null and success is not null)),
      constraint operations_session_key_check check ((sign_mode = 'SESSION_KEY') = (session_key is not null))
    )`.execute(db)
  await sql`create index operations_lanes on operations (account, network, nonce_key, nonce_sequence)`.execute(
    db,
  )
  await sql`
    create index operations_included_nonces on operations (account, network, nonce_key, nonce_sequence)
    where state = 'included'`.execute(db)
  // The queue of a network's bundler, from account to account; and the nonces that an account has in use there.
  await sql`
    create index operations_unresolved on operations (network, account, nonce_key, nonce_sequence)
    where not final and state <> 'included' and signature is not null`.execute(db)
  await sql`create index operations_replaces on operations (replaces) where replaces is not null`.execute(db)
  await sql`
    create index operations_unsigned on operations (account, built_by, build_expires_at) where signature is null`.execute(
    db,
  )
  // Operations that another bundler included have no signature here either, and are kept.
  await sql`
    create index operations_lapsed on operations (build_expires_at) where signature is null and signed_at is null`.execute(
    db,
  )
  // The passes of the reconciliation.
  await sql`
    create index operations_open on operations (network, signed_at, user_op_hash)
    where not final and state <> 'included' and signed_at is not null`.execute(db)
  await sql`
    create index operations_not_final on operations (network, block_number, block_hash)
    where not final and state = 'included'`.execute(db)
  // The lists of the console: final operations, and failed ones, which are few.
  await sql`
    create index operations_settled on operations (network, signed_at) where final and signed_at is not null`.execute(
    db,
  )
  await sql`
    create index operations_failed on operations (network, state, signed_at)
    where signed_at is not null and (state in ('dropped', 'expired') or success = false)`.execute(db)
  await sql`
    create index operations_failed_of_account on operations (account, state, signed_at)
    where signed_at is not null and (state in ('dropped', 'expired') or success = false)`.execute(db)
  // Without it, the planner believes that an account has few operations of a key, and reads and sorts them all.
  await sql`
    create statistics operations_of_sessions (mcv) on account, (session_key->>'key') from operations`.execute(
    db,
  )
  await sql`
    create index operations_history on operations (account, included_at desc) where state = 'included'`.execute(
    db,
  )
  await sql`
    create index operations_activity on operations (account, signed_at) where signed_at is not null`.execute(
    db,
  )
  // The key: an address, or the coordinates of a P-256 key as text of JSON.
  await sql`
    create index operations_by_session on operations (account, (session_key->>'key'), signed_at desc)
    where session_key is not null and signed_at is not null`.execute(db)
  await sql`
    create index session_operations_by_time on operations (signed_at)
    where session_key is not null and signed_at is not null`.execute(db)
  // Finds the operation of an assertion by its challenge.
  await sql`
    create index operations_by_challenge on operations (safe_op_hash) where sign_mode = 'WEBAUTHN'`.execute(
    db,
  )
  // The end of `userOp.signature`: an EOA's 65 bytes, or a P-256 session key's 64, which are followed by its
  // point.
  await sql`
    create index operations_by_ecdsa on operations (account, right(signature, 130)) where signature is not null`.execute(
    db,
  )
  await sql`
    create index operations_by_p256 on operations (account, left(right(signature, 256), 128))
    where signature is not null and sign_mode = 'SESSION_KEY'`.execute(db)
  // Lanes of builds whose payer is signing. That happens outside any transaction, because the signer may be
  // remote.
  await sql`
    create table nonce_holds (
      hold_id uuid primary key,
      account text collate "C" not null references accounts (address),
      network int8 not null,
      nonce_key numeric(58, 0) not null,
      expires_at timestamptz not null,
      built_by text collate "C" not null default ''
    )`.execute(db)
  await sql`create index nonce_holds_account on nonce_holds (account, network)`.execute(db)
  // Final operations of past months. `operations` itself cannot be partitioned by time: its hash would no longer
  // be unique, and nothing could reference it.
  await sql`
    create table archived_operations (
      like operations including defaults,
      sponsorship jsonb,
      bundles jsonb not null,
      archived_at timestamptz not null,
      primary key (user_op_hash, signed_at)
    ) partition by range (signed_at)`.execute(db)
  await sql`create index archived_operations_activity on archived_operations (account, signed_at)`.execute(db)
  await sql`
    create index archived_operations_history on archived_operations (account, included_at desc)
    where state = 'included'`.execute(db)
  await sql`
    create index archived_operations_by_session on archived_operations (account, (session_key->>'key'), signed_at desc)
    where session_key is not null`.execute(db)
  await sql`
    create index archived_operations_failed_of_account on archived_operations (account, state, signed_at)
    where signed_at is not null and (state in ('dropped', 'expired') or success = false)`.execute(db)
  // Finds the operations whose calls may remove an owner, so that a sign-in asks the networks only after one: the
  // selectors of removeOwner and swapOwner (Safe 1.4.1), wherever they are in the calls.
  for (const table of ['operations', 'archived_operations']) {
    await sql`
      create index ${sql.ref(`${table}_removing_owners`)} on ${sql.table(table)} (account)
      where user_op->>'callData' like '%f8dc5dd9%' or user_op->>'callData' like '%e318b52b%'`.execute(db)
  }
  // The months that were archived, so that a detached one is known.
  await sql`create table archived_months (month text primary key, created_at timestamptz not null)`.execute(
    db,
  )
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'operations'::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db)
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)))
  await sql`
    create view every_operation as
    select ${columns} from operations union all select ${columns} from archived_operations`.execute(db)
  await createArchiveFunction(db)
}

/**
 * Months of the archive are created by a function that runs as the owner of the tables, so that the service's own role may only
 * read and write rows. Others may call it once they are told to.
 */
async function createArchiveFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ensure_archive_partition(month text) returns void
    language plpgsql security definer set search_path from current as $$
    declare
      base text := 'archived_operations_' || replace(month, '-', '_');
      named text;
      others int4;
      from_time timestamptz := (month || '-01T00:00:00Z')::timestamptz;
      to_time timestamptz := ((month || '-01')::timestamp + interval '1 month') at time zone 'UTC';
    begin
      if month !~ '^[0-9]{4}-[0-9]{2}$' then
        raise exception 'not a month: %', month;
      end if;
      -- One process at a time; attaching does not hold up readers, nor writers of other partitions.
      perform pg_advisory_xact_lock(hashtext('archived_operations'));
      if exists (
        select from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
          and relispartition and starts_with(relname, base)
      ) then
        return;
      end if;
      -- A detached one keeps its name: what still comes gets a partition of its own.
      select count(*) into others from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r' and starts_with(relname, base);
      named := base || case when others = 0 then '' else '_' || (others + 1)::text end;
      insert into archived_months (month, created_at) values (ensure_archive_partition.month, now())
        on conflict do nothing;
      execute format('create table %I (like archived_operations including defaults including constraints)', named);
      -- As those of operations: without them, the planner reads and sorts all operations of a session key.
      execute format('create statistics %I (mcv) on account, (session_key->>''key'') from %I', named || '_sessions', named);
      execute format('alter table archived_operations attach partition %I for values from (%L) to (%L)',
        named, from_time, to_time);
    end $$`.execute(db)
  await sql`revoke execute on function ensure_archive_partition(text) from public`.execute(db)
}
