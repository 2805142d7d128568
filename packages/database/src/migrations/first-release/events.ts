import { type Kysely, sql } from 'kysely'

/**
 * Account events, written by the database itself in the statement that changes the state, so that no code can
 * omit them, not even a process of the previous version. Also their deliveries to webhooks.
 */
export async function createEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table events (
      id int8 primary key generated always as identity,
      -- Given after the commit: transactions commit in another order than they take ids.
      position int8 unique,
      type text collate "C" not null,
      account text collate "C" not null,
      network int8 not null,
      data jsonb not null,
      created_at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`create index events_without_position on events (id) where position is null`.execute(db)
  await sql`create index events_by_account on events (account, position)`.execute(db)
  await sql`create index events_by_time on events (created_at)`.execute(db)
  // A hash index: it is small, and events without an operation are not in it.
  await sql`create index events_by_operation on events using hash ((data ->> 'userOpHash'))`.execute(db)
  await sql`
    create table event_positions (
      only_row boolean primary key default true check (only_row),
      last int8 not null
    )`.execute(db)
  await sql`insert into event_positions (last) values (0)`.execute(db)

  await createOperationEvents(db)
  await createOrderEvents(db)
  await createDepositEvents(db)
  await createWebhooks(db)
}

async function createOperationEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function operation_event(kind text, op operations) returns void language sql as $$
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
  await sql`
    create function write_operation_events() returns trigger language plpgsql as $$
    declare
      was_included boolean := old.state = 'included';
      is_included boolean := new.state = 'included';
      is_moved boolean := old.state <> new.state or old.block_hash is distinct from new.block_hash;
      is_over boolean := new.state in ('dropped', 'expired');
      -- A repair found that it was called final too early.
      is_reopened boolean := old.final and not new.final;
    begin
      -- One that was given up, and is taken up again, is waiting again too.
      if is_moved and (was_included or not is_included and not is_over and old.state in ('dropped', 'expired')) then
        -- Two inclusions in a row: what is said of it in between is that it waits.
        if is_included then
          perform operation_event('reorged', jsonb_populate_record(old, jsonb_build_object(
            'state', 'submitted', 'final', false, 'success', null, 'txn_hash', null, 'block_number', null,
            'block_hash', null, 'gas_cost', null, 'reason_code', 'REORGED', 'reason_message', null)));
        else
          perform operation_event('reorged', new);
        end if;
      end if;
      if is_included and (is_moved or is_reopened) then
        perform operation_event(case when new.success then 'included' else 'reverted' end, new);
      elsif is_over and (old.state <> new.state or is_reopened) and not was_included then
        perform operation_event(case when new.reason_code = 'REPLACED' then 'replaced' else 'dropped' end, new);
      end if;
      if new.final and (is_moved or not old.final) then
        perform operation_event('final', new);
      end if;
      return null;
    end
    $$`.execute(db)
  await sql`
    create trigger operation_events after update of state, final, block_hash on operations for each row
    when (
      (old.state, old.final, old.block_hash) is distinct from (new.state, new.final, new.block_hash)
      and new.signed_at is not null
    ) execute function write_operation_events()`.execute(db)
}

/** An order has events from its submission on. */
async function createOrderEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function write_order_events() returns trigger language plpgsql as $$
    begin
      insert into events (type, account, network, data) values (
        'order.' || case when new.state = 'SUBMITTED' and old.state <> 'RESERVED' then 'reorged' else lower(new.state) end,
        new.account, new.output_network, jsonb_strip_nulls(jsonb_build_object(
          'orderId', new.order_id,
          'state', new.state,
          'amount', new.amount::text,
          'fee', new.fee::text,
          'total', new.total::text,
          'userOpHash', new.user_op_hash,
          'txnHash', new.txn_hash,
          'outcome', new.outcome
        ))
      );
      return null;
    end
    $$`.execute(db)
  await sql`
    create trigger order_events after update of state on orders for each row
    when (old.state <> new.state and new.state <> 'RESERVED') execute function write_order_events()`.execute(
    db,
  )
}

async function createDepositEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function write_deposit_events() returns trigger language plpgsql as $$
    declare
      balance_before numeric := 0;
      exiting_before numeric := 0;
      told jsonb := jsonb_build_object(
        'balance', new.balance::text, 'exiting', new.exiting::text, 'blockNumber', new.block_number::text);
    begin
      if tg_op = 'UPDATE' then
        balance_before := old.balance;
        exiting_before := old.exiting;
      end if;
      if new.balance <> balance_before then
        insert into events (type, account, network, data) values (
          case when new.balance > balance_before then 'deposit.increased' else 'deposit.decreased' end,
          new.account, new.network, told || jsonb_build_object('change', (new.balance - balance_before)::text));
      end if;
      if new.exiting > exiting_before then
        insert into events (type, account, network, data) values (
          'deposit.exiting', new.account, new.network, told || jsonb_build_object('exitReadyAt', new.exit_ready_at));
      end if;
      return null;
    end
    $$`.execute(db)
  await sql`
    create trigger deposit_events after insert or update of balance, exiting on smart_balance_ledger for each row
    execute function write_deposit_events()`.execute(db)
}

async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_endpoints (
      id text collate "C" primary key,
      key_name text collate "C" not null,
      url text not null,
      types jsonb not null,
      accounts jsonb not null,
      secrets jsonb not null,
      created_at timestamptz not null,
      -- Deliveries fail since then, and none is tried before that time.
      failing_since timestamptz,
      failures int4 not null default 0,
      next_attempt_at timestamptz,
      disabled_at timestamptz,
      disabled_reason text,
      project_id text not null default 'default',
      check ((disabled_at is null) = (disabled_reason is null))
    )`.execute(db)
  await sql`
    create table webhook_deliveries (
      id int8 primary key generated always as identity,
      endpoint_id text collate "C" not null references webhook_endpoints (id) on delete cascade,
      event_id int8 not null references events (id) on delete cascade,
      position int8 not null,
      account text collate "C" not null,
      state text not null check (state in ('pending', 'delivered', 'missed')),
      attempts int4 not null default 0,
      queued_at timestamptz not null,
      next_attempt_at timestamptz not null,
      answered_at timestamptz,
      status int4,
      answer text,
      unique (endpoint_id, event_id)
    )`.execute(db)
  await sql`
    create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, account, position)
    where state = 'pending'`.execute(db)
  await sql`create index webhook_deliveries_by_account on webhook_deliveries (endpoint_id, account, position)`.execute(
    db,
  )
  await sql`create index webhook_deliveries_by_event on webhook_deliveries (event_id)`.execute(db)
  // The last test of each endpoint: a worker sends it, because only workers have the key of the secrets.
  await sql`
    create table webhook_tests (
      endpoint_id text primary key references webhook_endpoints on delete cascade,
      requested_at timestamptz not null,
      next_attempt_at timestamptz not null,
      answered_at timestamptz,
      status int4,
      answer text
    )`.execute(db)
  await sql`create index webhook_tests_open on webhook_tests (next_attempt_at) where answered_at is null`.execute(
    db,
  )
}
