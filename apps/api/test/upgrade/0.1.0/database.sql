SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';
CREATE FUNCTION public.ensure_archive_partition(month text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $_$
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
    end $_$;
SET default_tablespace = '';
CREATE TABLE public.operations (
    user_op_hash text NOT NULL,
    account text NOT NULL,
    network bigint NOT NULL,
    entry_point text NOT NULL,
    nonce_key numeric(58,0) NOT NULL,
    nonce_sequence numeric(20,0) NOT NULL,
    user_op jsonb NOT NULL,
    safe_op_hash text NOT NULL,
    valid_after bigint NOT NULL,
    valid_until bigint NOT NULL,
    sign_mode text NOT NULL,
    value numeric(78,0) NOT NULL,
    deploys boolean NOT NULL,
    replaces text,
    state text NOT NULL,
    final boolean DEFAULT false NOT NULL,
    built_at timestamp with time zone NOT NULL,
    build_expires_at timestamp with time zone NOT NULL,
    signature text,
    signed_at timestamp with time zone,
    signed_at_block bigint,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    txn_hash text,
    block_number bigint,
    block_hash text,
    included_at timestamp with time zone,
    success boolean,
    gas_cost numeric(78,0),
    reason_code text,
    reason_message text,
    session_key jsonb,
    built_by text COLLATE pg_catalog."C",
    sent_by text COLLATE pg_catalog."C",
    eip7702_auth jsonb,
    fee_paid numeric(78,0),
    CONSTRAINT operations_check CHECK (((state = ANY (ARRAY['built'::text, 'dropped'::text, 'expired'::text, 'included'::text])) OR (signature IS NOT NULL))),
    CONSTRAINT operations_check1 CHECK (((state <> 'included'::text) OR ((txn_hash IS NOT NULL) AND (block_number IS NOT NULL) AND (block_hash IS NOT NULL) AND (success IS NOT NULL)))),
    CONSTRAINT operations_fee_paid_check CHECK ((fee_paid >= (0)::numeric)),
    CONSTRAINT operations_session_key_check CHECK (((sign_mode = 'SESSION_KEY'::text) = (session_key IS NOT NULL))),
    CONSTRAINT operations_sign_mode_check CHECK ((sign_mode = ANY (ARRAY['ECDSA'::text, 'SESSION_KEY'::text, 'WEBAUTHN'::text]))),
    CONSTRAINT operations_state_check CHECK ((state = ANY (ARRAY['built'::text, 'submitting'::text, 'submitted'::text, 'included'::text, 'dropped'::text, 'expired'::text])))
);
CREATE FUNCTION public.operation_event(kind text, op public.operations) RETURNS void
    LANGUAGE sql
    AS $$
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
    $$;
CREATE FUNCTION public.refuse_audit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      raise exception 'the audit log is append-only';
    end $$;
CREATE FUNCTION public.write_account_log_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      insert into events (type, account, network, data)
      select
        case
          when tg_op = 'INSERT' then type
          else split_part(type, '.', 1) || case when tg_op = 'DELETE' then '.reorged' else '.final' end
        end,
        account, network,
        data || jsonb_build_object(
          'change', split_part(type, '.', 2),
          'final', final,
          'txnHash', txn_hash,
          'logIndex', log_index,
          'blockNumber', block_number::text,
          'blockHash', block_hash
        )
      from changed
      where tg_op = 'INSERT' or final = (tg_op = 'UPDATE')
      order by block_number, log_index;
      return null;
    end
    $$;
CREATE FUNCTION public.write_deposit_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
    $$;
CREATE FUNCTION public.write_guardian_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'DELETE' then
        insert into events (type, account, network, data) values (
          'guardian.able', old.account, old.network, jsonb_build_object('guardian', old.guardian));
      elsif tg_op = 'INSERT' or new.problem <> old.problem then
        insert into events (type, account, network, data) values (
          'guardian.unable', new.account, new.network,
          jsonb_build_object('guardian', new.guardian, 'problem', new.problem));
      end if;
      return null;
    end
    $$;
CREATE FUNCTION public.write_guardian_request_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      insert into events (type, account, network, data) values (
        'recovery.requested', new.account, new.network, jsonb_build_object(
          'newOwner', new.new_owner,
          'issuer', new.issuer,
          'expiresAt', floor(extract(epoch from new.expires_at))::int8
        ));
      return null;
    end
    $$;
CREATE FUNCTION public.write_operation_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
    $$;
CREATE FUNCTION public.write_order_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
    $$;
CREATE FUNCTION public.write_session_warning_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      insert into events (type, account, network, data) values (
        new.type, new.account, new.network,
        jsonb_build_object('keyId', new.key_id, 'userOpHash', new.user_op_hash));
      return null;
    end
    $$;
CREATE TABLE public.account_backoffs (
    network bigint NOT NULL,
    account text NOT NULL COLLATE pg_catalog."C",
    failures integer NOT NULL,
    next_at timestamp with time zone NOT NULL
);
CREATE TABLE public.account_logs (
    network bigint NOT NULL,
    block_hash text NOT NULL COLLATE pg_catalog."C",
    log_index integer NOT NULL,
    block_number bigint NOT NULL,
    txn_hash text NOT NULL,
    account text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    data jsonb NOT NULL,
    final boolean DEFAULT false NOT NULL,
    seen_at timestamp with time zone NOT NULL
);
CREATE TABLE public.account_modules (
    only_row boolean DEFAULT true NOT NULL,
    ownership text COLLATE pg_catalog."C",
    CONSTRAINT account_modules_only_row_check CHECK (only_row)
);
CREATE TABLE public.account_watches (
    account text NOT NULL COLLATE pg_catalog."C",
    until timestamp with time zone NOT NULL
);
CREATE TABLE public.accounts (
    address text NOT NULL COLLATE pg_catalog."C",
    user_id uuid NOT NULL,
    eoa_address text COLLATE pg_catalog."C",
    passkey_x numeric(78,0),
    passkey_y numeric(78,0),
    passkey_verifiers numeric(78,0),
    deployment jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    signatures bigint DEFAULT 0 NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    confirmed boolean DEFAULT true NOT NULL,
    project_id text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT accounts_address_check CHECK ((address = lower(address))),
    CONSTRAINT accounts_check CHECK (
CASE
    WHEN (((deployment ->> 'kind'::text) = 'eip7702'::text) OR (deployment ? 'address'::text)) THEN ((eoa_address IS NULL) AND (passkey_x IS NULL))
    ELSE ((eoa_address IS NULL) = (passkey_x IS NOT NULL))
END),
    CONSTRAINT accounts_eoa_address_check CHECK ((eoa_address = lower(eoa_address)))
);
CREATE TABLE public.alarms (
    network bigint NOT NULL,
    kind text NOT NULL,
    log text NOT NULL COLLATE pg_catalog."C",
    topic text NOT NULL COLLATE pg_catalog."C",
    event text NOT NULL,
    wei numeric NOT NULL,
    block_number bigint NOT NULL,
    final boolean NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT alarms_kind_check CHECK ((kind = ANY (ARRAY['governance'::text, 'unexplained-gas'::text, 'recovery'::text, 'owner-split'::text])))
);
CREATE TABLE public.api_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    name text NOT NULL,
    key_hash text NOT NULL,
    origins jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    scope text DEFAULT 'full'::text NOT NULL,
    project text,
    project_id text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT api_keys_check CHECK (((kind = 'publishable'::text) = (jsonb_array_length(origins) > 0))),
    CONSTRAINT api_keys_key_hash_check CHECK ((length(key_hash) = 64)),
    CONSTRAINT api_keys_kind_check CHECK ((kind = ANY (ARRAY['secret'::text, 'publishable'::text]))),
    CONSTRAINT api_keys_origins_check CHECK ((jsonb_typeof(origins) = 'array'::text)),
    CONSTRAINT api_keys_scope_check CHECK ((scope = ANY (ARRAY['full'::text, 'read'::text, 'support'::text, 'metrics'::text])))
);
CREATE TABLE public.archived_months (
    month text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.archived_operations (
    user_op_hash text NOT NULL,
    account text NOT NULL,
    network bigint NOT NULL,
    entry_point text NOT NULL,
    nonce_key numeric(58,0) NOT NULL,
    nonce_sequence numeric(20,0) NOT NULL,
    user_op jsonb NOT NULL,
    safe_op_hash text NOT NULL,
    valid_after bigint NOT NULL,
    valid_until bigint NOT NULL,
    sign_mode text NOT NULL,
    value numeric(78,0) NOT NULL,
    deploys boolean NOT NULL,
    replaces text,
    state text NOT NULL,
    final boolean DEFAULT false NOT NULL,
    built_at timestamp with time zone NOT NULL,
    build_expires_at timestamp with time zone NOT NULL,
    signature text,
    signed_at timestamp with time zone NOT NULL,
    signed_at_block bigint,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    txn_hash text,
    block_number bigint,
    block_hash text,
    included_at timestamp with time zone,
    success boolean,
    gas_cost numeric(78,0),
    reason_code text,
    reason_message text,
    session_key jsonb,
    built_by text COLLATE pg_catalog."C",
    sent_by text COLLATE pg_catalog."C",
    eip7702_auth jsonb,
    fee_paid numeric(78,0),
    sponsorship jsonb,
    bundles jsonb NOT NULL,
    archived_at timestamp with time zone NOT NULL
)
PARTITION BY RANGE (signed_at);
CREATE TABLE public.attestations (
    order_hash text NOT NULL,
    attestor text NOT NULL,
    outcome text NOT NULL,
    block_number bigint NOT NULL,
    block_hash text NOT NULL,
    decided_at timestamp with time zone NOT NULL,
    signature text,
    CONSTRAINT attestations_outcome_check CHECK ((outcome = ANY (ARRAY['claimed'::text, 'failed'::text])))
);
CREATE TABLE public.audit_deliveries (
    destination text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    delivered_at timestamp with time zone NOT NULL
);
CREATE TABLE public.audit_head (
    only_row boolean DEFAULT true NOT NULL,
    "position" bigint NOT NULL,
    hash text NOT NULL,
    CONSTRAINT audit_head_only_row_check CHECK (only_row)
);
CREATE TABLE public.audit_log (
    "position" bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    source text NOT NULL,
    act text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL,
    before jsonb,
    after jsonb,
    previous_hash text NOT NULL,
    hash text NOT NULL,
    identity jsonb,
    CONSTRAINT audit_log_hash_check CHECK ((length(hash) = 64)),
    CONSTRAINT audit_log_position_check CHECK (("position" > 0)),
    CONSTRAINT audit_log_previous_hash_check CHECK ((length(previous_hash) = 64))
);
CREATE TABLE public.challenges (
    challenge text NOT NULL COLLATE pg_catalog."C",
    ceremony text NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    user_id uuid,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT challenges_ceremony_check CHECK ((ceremony = ANY (ARRAY['register'::text, 'authenticate'::text, 'discover'::text, 'credential'::text, 'login'::text])))
);
CREATE UNLOGGED TABLE public.cost_levels (
    name text NOT NULL,
    level double precision NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.credentials (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id uuid NOT NULL,
    public_key bytea NOT NULL,
    signer text NOT NULL COLLATE pg_catalog."C",
    verifiers numeric(78,0) NOT NULL,
    first_owner boolean NOT NULL,
    label text NOT NULL,
    counter bigint NOT NULL,
    backup_eligible boolean NOT NULL,
    backed_up boolean NOT NULL,
    transports jsonb NOT NULL,
    aaguid uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT credentials_counter_check CHECK ((counter >= 0)),
    CONSTRAINT credentials_signer_check CHECK ((signer = lower(signer)))
);
CREATE TABLE public.event_positions (
    only_row boolean DEFAULT true NOT NULL,
    last bigint NOT NULL,
    CONSTRAINT event_positions_only_row_check CHECK (only_row)
);
CREATE TABLE public.events (
    id bigint NOT NULL,
    "position" bigint,
    type text NOT NULL COLLATE pg_catalog."C",
    account text NOT NULL COLLATE pg_catalog."C",
    network bigint NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE public.events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE VIEW public.every_operation AS
 SELECT operations.user_op_hash,
    operations.account,
    operations.network,
    operations.entry_point,
    operations.nonce_key,
    operations.nonce_sequence,
    operations.user_op,
    operations.safe_op_hash,
    operations.valid_after,
    operations.valid_until,
    operations.sign_mode,
    operations.value,
    operations.deploys,
    operations.replaces,
    operations.state,
    operations.final,
    operations.built_at,
    operations.build_expires_at,
    operations.signature,
    operations.signed_at,
    operations.signed_at_block,
    operations.attempts,
    operations.next_attempt_at,
    operations.txn_hash,
    operations.block_number,
    operations.block_hash,
    operations.included_at,
    operations.success,
    operations.gas_cost,
    operations.reason_code,
    operations.reason_message,
    operations.session_key,
    operations.built_by,
    operations.sent_by,
    operations.eip7702_auth,
    operations.fee_paid
   FROM public.operations
UNION ALL
 SELECT archived_operations.user_op_hash,
    archived_operations.account,
    archived_operations.network,
    archived_operations.entry_point,
    archived_operations.nonce_key,
    archived_operations.nonce_sequence,
    archived_operations.user_op,
    archived_operations.safe_op_hash,
    archived_operations.valid_after,
    archived_operations.valid_until,
    archived_operations.sign_mode,
    archived_operations.value,
    archived_operations.deploys,
    archived_operations.replaces,
    archived_operations.state,
    archived_operations.final,
    archived_operations.built_at,
    archived_operations.build_expires_at,
    archived_operations.signature,
    archived_operations.signed_at,
    archived_operations.signed_at_block,
    archived_operations.attempts,
    archived_operations.next_attempt_at,
    archived_operations.txn_hash,
    archived_operations.block_number,
    archived_operations.block_hash,
    archived_operations.included_at,
    archived_operations.success,
    archived_operations.gas_cost,
    archived_operations.reason_code,
    archived_operations.reason_message,
    archived_operations.session_key,
    archived_operations.built_by,
    archived_operations.sent_by,
    archived_operations.eip7702_auth,
    archived_operations.fee_paid
   FROM public.archived_operations;
CREATE TABLE public.gas_policy_edits (
    number integer NOT NULL,
    policies jsonb,
    editor text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    project_id text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT gas_policy_edits_number_check CHECK ((number > 0))
);
CREATE TABLE public.gas_top_ups (
    txn_hash text NOT NULL,
    network bigint NOT NULL,
    sender text NOT NULL COLLATE pg_catalog."C",
    nonce bigint NOT NULL,
    amount numeric(78,0) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    final boolean NOT NULL,
    CONSTRAINT gas_top_ups_amount_check CHECK ((amount > (0)::numeric))
);
CREATE TABLE public.guardian_problems (
    account text NOT NULL COLLATE pg_catalog."C",
    guardian text NOT NULL COLLATE pg_catalog."C",
    network bigint NOT NULL,
    problem text NOT NULL
);
CREATE TABLE public.guardian_requests (
    id uuid NOT NULL,
    identity_id uuid NOT NULL,
    account text NOT NULL COLLATE pg_catalog."C",
    new_owner jsonb NOT NULL,
    network bigint NOT NULL,
    issuer text NOT NULL COLLATE pg_catalog."C",
    requested_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.guardian_sets (
    account text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    data text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.guardian_watches (
    account text NOT NULL COLLATE pg_catalog."C",
    next_check_at timestamp with time zone NOT NULL
);
CREATE TABLE public.idempotency_keys (
    caller text NOT NULL COLLATE pg_catalog."C",
    endpoint text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    request_hash text NOT NULL,
    state text NOT NULL,
    claim uuid NOT NULL,
    claim_expires_at timestamp with time zone NOT NULL,
    answer text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotency_keys_check CHECK (((state = 'running'::text) = (answer IS NULL))),
    CONSTRAINT idempotency_keys_state_check CHECK ((state = ANY (ARRAY['running'::text, 'unfinished'::text, 'finished'::text])))
);
CREATE TABLE public.identities (
    hash text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    issuer text NOT NULL COLLATE pg_catalog."C",
    user_id uuid NOT NULL,
    linked_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    project_id text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT identities_hash_check CHECK ((length(hash) = 64))
);
CREATE TABLE public.identity_names (
    hash text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    username_key text NOT NULL COLLATE pg_catalog."C",
    username_skeleton text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT identity_names_hash_check CHECK ((length(hash) = 64))
);
CREATE TABLE public.imported_accounts (
    eoa_address text NOT NULL COLLATE pg_catalog."C",
    account_kind text NOT NULL,
    external_id text COLLATE pg_catalog."C",
    user_id uuid,
    imported_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone,
    CONSTRAINT imported_accounts_account_kind_check CHECK ((account_kind = ANY (ARRAY['safe'::text, 'eip7702'::text]))),
    CONSTRAINT imported_accounts_eoa_address_check CHECK ((eoa_address = lower(eoa_address)))
);
CREATE TABLE public.known_guardians (
    account text NOT NULL COLLATE pg_catalog."C",
    guardian text NOT NULL COLLATE pg_catalog."C",
    key text COLLATE pg_catalog."C",
    user_id uuid,
    proven_at timestamp with time zone
);
CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.ledger_accounts (
    account text NOT NULL COLLATE pg_catalog."C",
    network bigint NOT NULL,
    complete_from bigint NOT NULL,
    complete_at timestamp with time zone NOT NULL,
    read_to bigint,
    reconciled_block bigint,
    balances jsonb DEFAULT '{}'::jsonb NOT NULL,
    reconcile_at timestamp with time zone NOT NULL
);
CREATE TABLE public.ledger_entries (
    account text NOT NULL COLLATE pg_catalog."C",
    network bigint NOT NULL,
    block_number bigint NOT NULL,
    log_index integer NOT NULL,
    part integer NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL,
    holding text NOT NULL,
    asset text NOT NULL COLLATE pg_catalog."C",
    amount numeric(78,0) NOT NULL,
    counterparty text COLLATE pg_catalog."C",
    txn_hash text,
    user_op_hash text,
    order_hash text,
    gas_cost numeric(78,0),
    payer text,
    since_block bigint,
    CONSTRAINT ledger_entries_holding_check CHECK ((holding = ANY (ARRAY['account'::text, 'smart_balance'::text]))),
    CONSTRAINT ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['opening'::text, 'transfer_in'::text, 'transfer_out'::text, 'deposit'::text, 'withdrawal'::text, 'withdrawal_fee'::text, 'exit'::text, 'order_credit'::text, 'order_debit'::text, 'fee'::text, 'gas_withdrawal'::text, 'unexplained'::text])))
);
CREATE TABLE public.ledger_networks (
    network bigint NOT NULL,
    block_number bigint NOT NULL,
    block_at timestamp with time zone NOT NULL,
    joins bigint DEFAULT 0 NOT NULL,
    read_at timestamp with time zone NOT NULL,
    next_read_at timestamp with time zone NOT NULL
);
CREATE TABLE public.log_watches (
    network bigint NOT NULL,
    block_number bigint NOT NULL,
    next_look_at timestamp with time zone NOT NULL
);
CREATE TABLE public.message_progress (
    account text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    network bigint NOT NULL,
    kind text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    final boolean DEFAULT false NOT NULL,
    reason text,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    head text COLLATE pg_catalog."C",
    executed_at timestamp with time zone,
    CONSTRAINT message_progress_kind_check CHECK ((kind = ANY (ARRAY['change'::text, 'recovery'::text, 'cancellation'::text]))),
    CONSTRAINT message_progress_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'running'::text, 'executed'::text, 'cancelled'::text])))
);
CREATE TABLE public.nonce_holds (
    hold_id uuid NOT NULL,
    account text NOT NULL COLLATE pg_catalog."C",
    network bigint NOT NULL,
    nonce_key numeric(58,0) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    built_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.operator_approvals (
    id text NOT NULL COLLATE pg_catalog."C",
    act text NOT NULL COLLATE pg_catalog."C",
    input jsonb NOT NULL,
    hash text NOT NULL,
    made jsonb,
    requested_by uuid NOT NULL,
    address text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    decided_by uuid,
    decided_at timestamp with time zone,
    CONSTRAINT operator_approvals_check CHECK (((state = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT operator_approvals_hash_check CHECK ((length(hash) = 64)),
    CONSTRAINT operator_approvals_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text, 'expired'::text])))
);
CREATE TABLE public.operator_challenges (
    challenge text NOT NULL COLLATE pg_catalog."C",
    token_hash text COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    purpose text COLLATE pg_catalog."C"
);
CREATE TABLE public.operator_identities (
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    operator_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.operator_invitations (
    token_hash text NOT NULL COLLATE pg_catalog."C",
    operator_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);
CREATE TABLE public.operator_passkeys (
    id text NOT NULL COLLATE pg_catalog."C",
    operator_id uuid NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    backup_eligible boolean NOT NULL,
    transports jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    waiting boolean DEFAULT false NOT NULL
);
CREATE TABLE public.operator_proofs (
    session_id text NOT NULL COLLATE pg_catalog."C",
    proved_at timestamp with time zone NOT NULL,
    asked_at timestamp with time zone,
    failed_at timestamp with time zone,
    sealed text NOT NULL
);
CREATE TABLE public.operator_sessions (
    id text NOT NULL COLLATE pg_catalog."C",
    token_hash text NOT NULL COLLATE pg_catalog."C",
    operator_id uuid NOT NULL,
    address text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);
CREATE TABLE public.operators (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    disabled_at timestamp with time zone,
    break_glass boolean DEFAULT false NOT NULL,
    CONSTRAINT operators_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'operator'::text, 'admin'::text])))
);
CREATE TABLE public.order_debits (
    order_id text NOT NULL,
    network bigint NOT NULL,
    amount numeric(39,0) NOT NULL,
    fail_fee numeric(39,0) NOT NULL,
    state text NOT NULL,
    due numeric(39,0),
    settled_amount numeric(39,0) DEFAULT 0 NOT NULL,
    txn_hash text,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    reason text,
    closed_at timestamp with time zone,
    CONSTRAINT order_debits_amount_check CHECK ((amount > (0)::numeric)),
    CONSTRAINT order_debits_check CHECK ((fail_fee <= amount)),
    CONSTRAINT order_debits_state_check CHECK ((state = ANY (ARRAY['RESERVED'::text, 'DUE'::text, 'SETTLED'::text, 'PARTIAL'::text, 'LOST'::text, 'RELEASED'::text])))
);
CREATE TABLE public.order_operations (
    order_hash text NOT NULL,
    order_id text NOT NULL,
    user_op_hash text NOT NULL,
    paymaster_and_data text NOT NULL,
    valid_until bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    signature text
);
CREATE TABLE public.orders (
    order_id text NOT NULL,
    account text NOT NULL COLLATE pg_catalog."C",
    output_network bigint NOT NULL,
    type text NOT NULL,
    amount numeric(39,0) NOT NULL,
    fee numeric(39,0) NOT NULL,
    total numeric(39,0) NOT NULL,
    claim_amount numeric(39,0) NOT NULL,
    withdrawal_amount numeric(39,0) NOT NULL,
    withdrawal_fee numeric(39,0) NOT NULL,
    withdrawal_salt text,
    withdrawal_deadline bigint,
    withdrawal_digest text,
    withdrawal_signature text,
    withdrawal_state text NOT NULL,
    nonce_key numeric(58,0) NOT NULL,
    nonce_sequence numeric(20,0) NOT NULL,
    signer_id text NOT NULL,
    gas_budget numeric(78,0) NOT NULL,
    state text NOT NULL,
    reserved_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    order_hash text,
    user_op_hash text,
    txn_hash text,
    block_number bigint,
    block_hash text,
    closed_at timestamp with time zone,
    outcome text,
    CONSTRAINT orders_check CHECK ((total = (amount + fee))),
    CONSTRAINT orders_check1 CHECK ((amount = (claim_amount + withdrawal_amount))),
    CONSTRAINT orders_check2 CHECK (((withdrawal_state = 'none'::text) = (withdrawal_digest IS NULL))),
    CONSTRAINT orders_outcome_check CHECK ((outcome = ANY (ARRAY['claimed'::text, 'failed'::text]))),
    CONSTRAINT orders_state_check CHECK ((state = ANY (ARRAY['RESERVED'::text, 'SUBMITTED'::text, 'CLAIMED'::text, 'FAILED'::text, 'ATTESTED'::text, 'SETTLED'::text, 'EXPIRED'::text]))),
    CONSTRAINT orders_type_check CHECK ((type = ANY (ARRAY['AMOUNT_OUT'::text, 'AMOUNT_IN'::text]))),
    CONSTRAINT orders_withdrawal_state_check CHECK ((withdrawal_state = ANY (ARRAY['none'::text, 'open'::text, 'used'::text, 'lapsed'::text])))
);
CREATE TABLE public.owner_changes (
    account text NOT NULL COLLATE pg_catalog."C",
    sequence numeric(20,0) NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    data text NOT NULL COLLATE pg_catalog."C",
    signature text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    sent_by text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.owner_histories (
    network bigint NOT NULL,
    account text NOT NULL COLLATE pg_catalog."C",
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL
);
CREATE UNLOGGED TABLE public.passes (
    name text NOT NULL COLLATE pg_catalog."C",
    next_at timestamp with time zone NOT NULL
);
CREATE TABLE public.processes (
    id uuid NOT NULL,
    roles text NOT NULL,
    host text NOT NULL,
    version text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL
);
CREATE UNLOGGED TABLE public.rate_limits (
    key character varying(255) NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);
CREATE TABLE public.recoveries (
    account text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    sequence numeric(20,0) NOT NULL,
    number numeric(20,0) NOT NULL,
    new_owners text COLLATE pg_catalog."C",
    new_threshold numeric(78,0),
    result text COLLATE pg_catalog."C",
    head text NOT NULL COLLATE pg_catalog."C",
    sent_by text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    complete_at timestamp with time zone
);
CREATE TABLE public.recovery_signatures (
    account text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    guardian text NOT NULL COLLATE pg_catalog."C",
    network bigint NOT NULL,
    signature text NOT NULL COLLATE pg_catalog."C",
    key text COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.recovery_watches (
    network bigint NOT NULL,
    block_number bigint NOT NULL
);
CREATE TABLE public.relayer_leases (
    network bigint NOT NULL,
    relayer text NOT NULL,
    holder text NOT NULL,
    fence bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    urgent_until timestamp with time zone
);
CREATE TABLE public.relayer_losses (
    txn_hash text NOT NULL COLLATE pg_catalog."C",
    user_op_hash text NOT NULL COLLATE pg_catalog."C",
    network bigint NOT NULL,
    account text NOT NULL COLLATE pg_catalog."C",
    sent_by text COLLATE pg_catalog."C",
    reason text NOT NULL,
    wei numeric(78,0) NOT NULL,
    owed numeric(78,0) NOT NULL,
    lost_at timestamp with time zone NOT NULL,
    repaid_by text COLLATE pg_catalog."C",
    CONSTRAINT relayer_losses_reason_check CHECK ((reason = ANY (ARRAY['reverted'::text, 'raced'::text, 'underpaid'::text])))
);
CREATE TABLE public.relayer_refills (
    txn_hash text NOT NULL,
    network bigint NOT NULL,
    sender text NOT NULL COLLATE pg_catalog."C",
    nonce bigint NOT NULL,
    relayer text NOT NULL COLLATE pg_catalog."C",
    amount numeric(78,0) NOT NULL,
    fee numeric(78,0) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    final boolean NOT NULL,
    CONSTRAINT relayer_refills_amount_check CHECK ((amount > (0)::numeric))
);
CREATE TABLE public.relayer_transaction_operations (
    txn_hash text NOT NULL,
    "position" integer NOT NULL,
    user_op_hash text NOT NULL
);
CREATE TABLE public.relayer_transactions (
    txn_hash text NOT NULL,
    network bigint NOT NULL,
    relayer text NOT NULL,
    nonce bigint NOT NULL,
    raw text NOT NULL,
    gas_limit numeric(78,0) NOT NULL,
    max_fee_per_gas numeric(78,0) NOT NULL,
    max_priority_fee_per_gas numeric(78,0) NOT NULL,
    state text NOT NULL,
    block_number bigint,
    block_hash text,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    loss numeric(78,0) DEFAULT 0 NOT NULL,
    audited boolean DEFAULT false NOT NULL,
    spent numeric,
    earned numeric,
    intent text COLLATE pg_catalog."C",
    urgent boolean DEFAULT false NOT NULL,
    unproven boolean DEFAULT false NOT NULL,
    CONSTRAINT relayer_transactions_state_check CHECK ((state = ANY (ARRAY['live'::text, 'mined'::text, 'lost'::text])))
);
CREATE TABLE public.relying_party (
    only_row boolean DEFAULT true NOT NULL,
    rp_id text NOT NULL,
    origins jsonb NOT NULL,
    project_id text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT relying_party_only_row_check CHECK (only_row)
);
CREATE TABLE public.session_warnings (
    account text NOT NULL COLLATE pg_catalog."C",
    network bigint NOT NULL,
    key_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    user_op_hash text NOT NULL COLLATE pg_catalog."C",
    warned_at timestamp with time zone NOT NULL
);
CREATE TABLE public.session_watches (
    network bigint NOT NULL,
    "position" bigint NOT NULL
);
CREATE TABLE public.settlement_debits (
    txn_hash text NOT NULL,
    "position" integer NOT NULL,
    order_id text NOT NULL,
    network bigint NOT NULL,
    final boolean DEFAULT false NOT NULL
);
CREATE TABLE public.smart_balance_ledger (
    account text NOT NULL COLLATE pg_catalog."C",
    network bigint NOT NULL,
    balance numeric(39,0) NOT NULL,
    exiting numeric(39,0) NOT NULL,
    exit_ready_at bigint NOT NULL,
    pinned_signers jsonb NOT NULL,
    asked_signers jsonb NOT NULL,
    block_number bigint NOT NULL,
    block_timestamp bigint NOT NULL,
    CONSTRAINT smart_balance_ledger_check CHECK ((exiting <= balance))
);
CREATE TABLE public.smart_balance_networks (
    network bigint NOT NULL
);
CREATE TABLE public.smart_balance_terms (
    account text NOT NULL COLLATE pg_catalog."C",
    output_network bigint NOT NULL,
    terms jsonb NOT NULL,
    made_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sponsorship_days (
    network bigint NOT NULL,
    budget text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    taken numeric(78,0) NOT NULL,
    settled numeric(78,0) DEFAULT 0 NOT NULL,
    operations bigint DEFAULT 0 NOT NULL,
    promised numeric(78,0) DEFAULT 0 NOT NULL,
    promises bigint DEFAULT 0 NOT NULL,
    CONSTRAINT sponsorship_days_taken_check CHECK ((taken >= (0)::numeric))
);
CREATE TABLE public.sponsorship_suspensions (
    network bigint NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL,
    user_op_hash text NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE public.sponsorships (
    user_op_hash text NOT NULL,
    network bigint NOT NULL,
    account text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    caller text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    reserved numeric(78,0) NOT NULL,
    charged numeric(78,0),
    valid_until bigint NOT NULL,
    built_at_block bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    policy text COLLATE pg_catalog."C",
    builder text COLLATE pg_catalog."C",
    taken boolean DEFAULT true NOT NULL,
    verdict text,
    relayer_gas integer DEFAULT 0 NOT NULL,
    CONSTRAINT sponsorships_charged_check CHECK ((charged >= (0)::numeric)),
    CONSTRAINT sponsorships_kind_check CHECK ((kind = ANY (ARRAY['sponsored'::text, 'order'::text, 'token'::text]))),
    CONSTRAINT sponsorships_reserved_check CHECK ((reserved >= (0)::numeric))
);
CREATE TABLE public.token_keys (
    only_row boolean DEFAULT true NOT NULL,
    private_jwk jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT token_keys_only_row_check CHECK (only_row)
);
CREATE TABLE public.users (
    id uuid NOT NULL,
    kind text NOT NULL,
    username text NOT NULL,
    username_key text NOT NULL COLLATE pg_catalog."C",
    listed boolean GENERATED ALWAYS AS ((strpos(username_key, '@'::text) = 0)) STORED NOT NULL,
    created_at timestamp with time zone NOT NULL,
    username_skeleton text COLLATE pg_catalog."C",
    skeleton_version integer DEFAULT 0 NOT NULL,
    reserved boolean DEFAULT false NOT NULL,
    project_id text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT users_kind_check CHECK ((kind = ANY (ARRAY['eoa'::text, 'passkey'::text])))
);
CREATE TABLE public.watched_contracts (
    network bigint NOT NULL,
    block_number bigint NOT NULL
);
CREATE TABLE public.webhook_deliveries (
    id bigint NOT NULL,
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    event_id bigint NOT NULL,
    "position" bigint NOT NULL,
    account text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone,
    status integer,
    answer text,
    CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'missed'::text])))
);
ALTER TABLE public.webhook_deliveries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.webhook_endpoints (
    id text NOT NULL COLLATE pg_catalog."C",
    key_name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    types jsonb NOT NULL,
    accounts jsonb NOT NULL,
    secrets jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    failing_since timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    disabled_at timestamp with time zone,
    disabled_reason text,
    project_id text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT webhook_endpoints_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL)))
);
CREATE TABLE public.webhook_tests (
    endpoint_id text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone,
    status integer,
    answer text
);
INSERT INTO public.account_modules VALUES (true, NULL);
INSERT INTO public.accounts VALUES ('0xc34920c20f99f97fc9765e39a887f20a20092a92', '877df134-6e8c-408d-a619-985bf2d20280', '0x7e38c1ba8b8f1b8ceece59677a6bdf9d630fe3b5', NULL, NULL, NULL, '{"module": "0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226", "factory": "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67", "multiSend": "0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526", "saltNonce": "0", "singleton": "0x41675C099F32341bf84BFc5382aF534df5C7461a", "entryPoint": "0x0000000071727De22E5E9d8BAf0edAc6f37da032", "moduleSetup": "0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47", "sharedSigner": "0x94a4F6affBd8975951142c3999aEAB7ecee555c2", "signerFactory": "0x1d31F259eE307358a26dFb23EB365939E8641195", "multiSendCallOnly": "0x9641d764fc13c8B624c04430C7356C1C7C8102e2"}', '2026-12-01 01:36:01.963+00', 0, 0, true, 'default');
INSERT INTO public.accounts VALUES ('0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', '4daffb51-786e-474e-9136-6f4d7df59c49', '0x0271e2d652b9b760a623a49fe7abcfb56f044109', NULL, NULL, NULL, '{"module": "0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226", "factory": "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67", "multiSend": "0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526", "saltNonce": "0", "singleton": "0x41675C099F32341bf84BFc5382aF534df5C7461a", "entryPoint": "0x0000000071727De22E5E9d8BAf0edAc6f37da032", "moduleSetup": "0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47", "sharedSigner": "0x94a4F6affBd8975951142c3999aEAB7ecee555c2", "signerFactory": "0x1d31F259eE307358a26dFb23EB365939E8641195", "multiSendCallOnly": "0x9641d764fc13c8B624c04430C7356C1C7C8102e2"}', '2026-12-01 01:36:01.936+00', 1, 1, true, 'default');
INSERT INTO public.api_keys VALUES ('lk_secret_z7KaUqxa', 'secret', 'shop', '2897a9d28d9c58aff675c2365aacca6e93a7495affd4ca709e50c011b1102deb', '[]', '2026-12-01 01:36:03.571+00', NULL, 'full', NULL, 'default');
INSERT INTO public.api_keys VALUES ('lk_public_A--7Ywxq', 'publishable', 'page', 'e78dedb7d5aa225ed399f9600ef5f7c0ba8905e6bdf99513fae32320185e649b', '["https://shop.example"]', '2026-12-01 01:36:04.934+00', NULL, 'full', NULL, 'default');
INSERT INTO public.audit_head VALUES (true, 4, '08103ebcfd6a27e6b23af713e2af195428c16c30dada61855ff520f19c72da72');
INSERT INTO public.audit_log VALUES (1, '2026-12-01 01:35:59.409+00', 'service:api,attestor,settler,topUp,worker', 'vm', 'configuration.change', 'api,attestor,settler,topUp,worker', NULL, '{"ROLES": ["api", "worker", "attestor", "settler", "topUp"], "RP_ID": "localhost", "WALLET": true, "ORIGINS": ["http://localhost:3000"], "API_KEYS": "scrypt:2ebe4f27607c943d9efe6cf6bc8182fe", "IOS_APPS": [], "NODE_ENV": "development", "LOG_LEVEL": "warn", "PREFLIGHT": "refuse", "RP_CHANGE": "refuse", "TOKEN_KEY": "scrypt:457a7ac166e93d1da03a79b825a7a37d", "READ_CACHE": 0, "DEVNET_PORT": 8545, "RATE_LIMITS": "on", "REQUEST_LOG": 100, "TRUST_PROXY": 0, "ALLOW_PGLITE": false, "ANDROID_APPS": [], "CONSOLE_HOST": "127.0.0.1", "DATABASE_URL": "scrypt:fd94f23a737e881a3a26964cea9697ea", "NETWORKS_FILE": "scrypt:56f40ff8a219d88932bd39e0abeb948b", "CREDENTIAL_IDS": "named", "SHUTDOWN_DELAY": 0, "SIGNER_TIMEOUT": 10, "TOKEN_LIFETIME": 60, "ACCOUNT_MODULES": [], "ALLOW_ANONYMOUS": false, "RATE_LIMIT_COST": 100000000, "TOP_UP_PER_HOUR": 25, "CONSOLE_PASSKEYS": "on", "EXPOSURE_WARNING": 100000, "IDENTITY_SECRETS": [], "MIGRATE_ON_START": true, "RATE_LIMIT_CALLS": 1000000, "RATE_LIMIT_READS": 1000000, "CONSOLE_APPROVALS": [], "INCLUSION_TIMEOUT": 30, "LIQUIDITY_WARNING": 1000, "RATE_LIMIT_BUILDS": 1000000, "RATE_LIMIT_HEALTH": 1000000, "SCREENING_FAILURE": "deny", "SCREENING_TIMEOUT": 2, "IDENTITY_PROVIDERS": [], "RESERVED_USERNAMES": ["admin", "administrator", "help", "helpdesk", "lanyard", "moderator", "official", "operator", "root", "security", "staff", "support", "system", "team", "Lanyard"], "CONSOLE_OIDC_SCOPES": "openid profile offline_access", "RELAYER_PRIVATE_KEYS": [], "ATTESTOR_PRIVATE_KEYS": [], "NETWORKS_FILE content": "sha256:2f7d9b54e3af42036fcf008466a28dfe8f23c6c9da04bd976d02f75126eaba3e", "RATE_LIMIT_CEREMONIES": 1000000, "RATE_LIMIT_KEY_FACTOR": 10, "RATE_LIMIT_BUILD_BYTES": 1000000000000, "WEBHOOK_PRIVATE_RANGES": [], "CONSOLE_BREAK_GLASS_ALONE": false, "CONSOLE_OIDC_GROUPS_CLAIM": "groups", "SMART_BALANCE_BASIS_POINTS": 10}', '0000000000000000000000000000000000000000000000000000000000000000', '4e00e59f0cf28e1dd2b500365a4b74e8597d642789d253a91aa7ded75e32ccf1', NULL);
INSERT INTO public.audit_log VALUES (2, '2026-12-01 01:36:01.706+00', 'cli:root', 'vm', 'webhook.add', 'whe_CMzszmoB6T-f', NULL, '{"key": "server", "host": "127.0.0.1:9", "types": [], "accounts": []}', '4e00e59f0cf28e1dd2b500365a4b74e8597d642789d253a91aa7ded75e32ccf1', 'ae829ca2fafa7a9fe17820251681a3eb34420d1e2983a37b45967bc70c192b52', NULL);
INSERT INTO public.audit_log VALUES (3, '2026-12-01 01:36:03.574+00', 'cli:root', 'vm', 'key.create', 'lk_secret_z7KaUqxa', NULL, '{"kind": "secret", "name": "shop", "scope": "full", "origins": []}', 'ae829ca2fafa7a9fe17820251681a3eb34420d1e2983a37b45967bc70c192b52', '92b45a308d22a0372eb510d534db6228009c0cdab4699a3863132fa5ea093a63', NULL);
INSERT INTO public.audit_log VALUES (4, '2026-12-01 01:36:04.937+00', 'cli:root', 'vm', 'key.create', 'lk_public_A--7Ywxq', NULL, '{"kind": "publishable", "name": "page", "scope": "full", "origins": ["https://shop.example"]}', '92b45a308d22a0372eb510d534db6228009c0cdab4699a3863132fa5ea093a63', '08103ebcfd6a27e6b23af713e2af195428c16c30dada61855ff520f19c72da72', NULL);
INSERT INTO public.event_positions VALUES (true, 2);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (1, 1, 'operation.included', '0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', 31337, '{"final": false, "state": "included", "gasCost": "446452670759637", "success": true, "txnHash": "0x48ff13965da2cc0dc4763eb24e1e2d070ace8e17462c47d192455dc9bb5dedcf", "blockHash": "0x2a30bfc8be8752eb2c3e0016ebc287b195304e9f428d2bc8e809f116d7838107", "userOpHash": "0xb0e95964ced8d24b1a607006bdb600f58ae351dd7f502a37d4b85c660341e494", "blockNumber": "44"}', '2026-12-01 01:36:02.391725+00');
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (2, 2, 'operation.final', '0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', 31337, '{"final": true, "state": "included", "gasCost": "446452670759637", "success": true, "txnHash": "0x48ff13965da2cc0dc4763eb24e1e2d070ace8e17462c47d192455dc9bb5dedcf", "blockHash": "0x2a30bfc8be8752eb2c3e0016ebc287b195304e9f428d2bc8e809f116d7838107", "userOpHash": "0xb0e95964ced8d24b1a607006bdb600f58ae351dd7f502a37d4b85c660341e494", "blockNumber": "44"}', '2026-12-01 01:36:02.607778+00');
INSERT INTO public.kysely_migration VALUES ('0001-first-release', '2026-12-01T01:35:59.169Z');
INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO public.ledger_accounts VALUES ('0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', 31337, 1, '2026-12-01 01:18:59+00', NULL, 142, '{"account:native": "999553547329239363", "account:0x1de369c050d12c59eab848c938932a347eafa68c": "100000000", "smart_balance:0x1de369c050d12c59eab848c938932a347eafa68c": "0"}', '2026-12-02 01:36:03.062+00');
INSERT INTO public.ledger_entries VALUES ('0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', 31337, 42, 0, 1, '2026-12-01 01:36:02+00', 'transfer_in', 'account', '0x1de369c050d12c59eab848c938932a347eafa68c', 100000000, '0x0000000000000000000000000000000000000000', '0x132004b41594a8d4d40b43bbb48768ba8699b3fb7a29d336f37a2b147c4a3392', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ledger_entries VALUES ('0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', 31337, 44, 8, 0, '2026-12-01 01:36:02+00', 'fee', 'account', 'native', -446452670759637, NULL, '0x48ff13965da2cc0dc4763eb24e1e2d070ace8e17462c47d192455dc9bb5dedcf', '0xb0e95964ced8d24b1a607006bdb600f58ae351dd7f502a37d4b85c660341e494', NULL, 446452670759637, '0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', NULL);
INSERT INTO public.ledger_entries VALUES ('0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', 31337, 44, 8, 1, '2026-12-01 01:36:02+00', 'transfer_out', 'account', 'native', -1000, '0xc34920c20f99f97fc9765e39a887f20a20092a92', '0x48ff13965da2cc0dc4763eb24e1e2d070ace8e17462c47d192455dc9bb5dedcf', '0xb0e95964ced8d24b1a607006bdb600f58ae351dd7f502a37d4b85c660341e494', NULL, NULL, NULL, NULL);
INSERT INTO public.ledger_entries VALUES ('0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', 31337, 0, -1, 0, '2026-12-01 01:18:59+00', 'opening', 'account', 'native', 1000000000000000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ledger_networks VALUES (31337, 142, '2026-12-01 01:36:02+00', 1, '2026-12-01 01:36:02.899+00', '2026-12-01 01:36:18.07+00');
INSERT INTO public.log_watches VALUES (31337, 142, '2026-12-01 01:36:12.821+00');
INSERT INTO public.operations VALUES ('0xb0e95964ced8d24b1a607006bdb600f58ae351dd7f502a37d4b85c660341e494', '0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', 31337, '0x0000000071727de22e5e9d8baf0edac6f37da032', 0, 0, '{"nonce": "0", "sender": "0x44D69c386Ba8BE24c438B91e93c7fcf17D4D2c03", "callData": "0x541d63c8000000000000000000000000c34920c20f99f97fc9765e39a887f20a20092a9200000000000000000000000000000000000000000000000000000000000003e8000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000", "initCode": "0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec671688f0b900000000000000000000000041675c099f32341bf84bfc5382af534df5c7461a0000000000000000000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001e4b63e800d000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000000010000000000000000000000002dd68b007b46fbe91b9a7c3eda5a7a1063cb5b47000000000000000000000000000000000000000000000000000000000000014000000000000000000000000075cf11467937ce3f2f357ce24ffc3dbf8fd5c22600000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010000000000000000000000000271e2d652b9b760a623a49fe7abcfb56f04410900000000000000000000000000000000000000000000000000000000000000648d0dc49f0000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000100000000000000000000000075cf11467937ce3f2f357ce24ffc3dbf8fd5c2260000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000", "callGasLimit": "47673", "maxFeePerGas": "1010304486", "preVerificationGas": "50221", "maxPriorityFeePerGas": "1000000000", "verificationGasLimit": "395489"}', '0x229a3c6acbcb621815b00c234234618099b887c4eba678409ee18cbfa6495ff1', 0, 0, 'ECDSA', 1000, true, NULL, 'included', true, '2026-12-01 01:36:02.124+00', '2026-12-01 01:46:02.124+00', '0x000000000000000000000000529637e8a7ad2259ba26194874bea61b52a65352f6e2675b1c3cf288a55758b13ff4bb0d45c242de21ca132b329098d17d6edf874332dfdd8a5f31e3d08689091f', '2026-12-01 01:36:02.172+00', 42, 1, NULL, '0x48ff13965da2cc0dc4763eb24e1e2d070ace8e17462c47d192455dc9bb5dedcf', 44, '0x2a30bfc8be8752eb2c3e0016ebc287b195304e9f428d2bc8e809f116d7838107', '2026-12-01 01:36:02+00', true, 446452670759637, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.recovery_watches VALUES (31337, 36);
INSERT INTO public.relayer_transaction_operations VALUES ('0x48ff13965da2cc0dc4763eb24e1e2d070ace8e17462c47d192455dc9bb5dedcf', 0, '0xb0e95964ced8d24b1a607006bdb600f58ae351dd7f502a37d4b85c660341e494');
INSERT INTO public.relayer_transactions VALUES ('0x48ff13965da2cc0dc4763eb24e1e2d070ace8e17462c47d192455dc9bb5dedcf', 31337, '0xa0ee7a142d267c1f36714e4a8f75612f20a79720', 0, '0x02f90653827a6980843b9aca00843c3805e68308c8a2940000000071727de22e5e9d8baf0edac6f37da03280b905e4765e827f0000000000000000000000000000000000000000000000000000000000000040000000000000000000000000a0ee7a142d267c1f36714e4a8f75612f20a797200000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000002000000000000000000000000044d69c386ba8be24c438b91e93c7fcf17d4d2c030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000012000000000000000000000000000000000000000000000000000000000000003e0000000000000000000000000000608e10000000000000000000000000000ba39000000000000000000000000000000000000000000000000000000000000c42d0000000000000000000000003b9aca000000000000000000000000003c3805e600000000000000000000000000000000000000000000000000000000000004c000000000000000000000000000000000000000000000000000000000000004e000000000000000000000000000000000000000000000000000000000000002984e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec671688f0b900000000000000000000000041675c099f32341bf84bfc5382af534df5c7461a0000000000000000000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001e4b63e800d000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000000010000000000000000000000002dd68b007b46fbe91b9a7c3eda5a7a1063cb5b47000000000000000000000000000000000000000000000000000000000000014000000000000000000000000075cf11467937ce3f2f357ce24ffc3dbf8fd5c22600000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010000000000000000000000000271e2d652b9b760a623a49fe7abcfb56f04410900000000000000000000000000000000000000000000000000000000000000648d0dc49f0000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000100000000000000000000000075cf11467937ce3f2f357ce24ffc3dbf8fd5c2260000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000a4541d63c8000000000000000000000000c34920c20f99f97fc9765e39a887f20a20092a9200000000000000000000000000000000000000000000000000000000000003e8000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004d000000000000000000000000529637e8a7ad2259ba26194874bea61b52a65352f6e2675b1c3cf288a55758b13ff4bb0d45c242de21ca132b329098d17d6edf874332dfdd8a5f31e3d08689091f00000000000000000000000000000000000000c080a087e2f9ecac6501752d559ba8ee87caba5cd03f548c247b27dfa354151c46079ca06a6fd977672cdf4b2f3927f94c30ab62a8e5f7612647e3e4e52231e4bc1bb9d3', 575650, 1010304486, 1000000000, 'mined', 44, '0x2a30bfc8be8752eb2c3e0016ebc287b195304e9f428d2bc8e809f116d7838107', '2026-12-01 01:36:02.231+00', '2026-12-01 01:36:02.24+00', 0, false, NULL, NULL, NULL, false, false);
INSERT INTO public.relying_party VALUES (true, 'localhost', '["http://localhost:3000"]', 'default');
INSERT INTO public.session_watches VALUES (31337, 0);
INSERT INTO public.users VALUES ('4daffb51-786e-474e-9136-6f4d7df59c49', 'eoa', '1ccff1ec-598c-4b24-95eb-438e5c70eb76', '1ccff1ec-598c-4b24-95eb-438e5c70eb76', DEFAULT, '2026-12-01 01:36:01.936+00', 'lccfflec-598c-4b24-95eb-438e5c7oeb76', 2, false, 'default');
INSERT INTO public.users VALUES ('877df134-6e8c-408d-a619-985bf2d20280', 'eoa', '0c3f5928-6d9f-4ec8-8a18-bb3ecd7b74e5', '0c3f5928-6d9f-4ec8-8a18-bb3ecd7b74e5', DEFAULT, '2026-12-01 01:36:01.963+00', 'oc3f5928-6d9f-4ec8-8al8-bb3ecd7b74e5', 2, false, 'default');
INSERT INTO public.watched_contracts VALUES (31337, 36);
INSERT INTO public.webhook_deliveries OVERRIDING SYSTEM VALUE VALUES (2, 'whe_CMzszmoB6T-f', 2, 2, '0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', 'pending', 0, '2026-12-01 01:36:02.793+00', '2026-12-01 01:36:02.793+00', NULL, NULL, NULL);
INSERT INTO public.webhook_deliveries OVERRIDING SYSTEM VALUE VALUES (1, 'whe_CMzszmoB6T-f', 1, 1, '0x44d69c386ba8be24c438b91e93c7fcf17d4d2c03', 'pending', 1, '2026-12-01 01:36:02.793+00', '2026-12-01 01:36:07.906+00', '2026-12-01 01:36:02.906+00', NULL, 'connect ECONNREFUSED 127.0.0.1:9');
INSERT INTO public.webhook_endpoints VALUES ('whe_CMzszmoB6T-f', 'server', 'http://127.0.0.1:9/', '[]', '[]', '[{"until": null, "secret": "aes-256-gcm:gVBw7RlPB2faUzDZF+V5r4v0UoqHqeEF0RZYAn7K0l7LgUODTuC/S+GVeD/EQUPDv8RknKbDkEVoG5WRrANMHVfoX8ko6OagZ3Drjzjp"}]', '2026-12-01 01:36:01.682+00', '2026-12-01 01:36:02.909+00', 1, NULL, NULL, NULL, 'default');
SELECT pg_catalog.setval('public.events_id_seq', 2, true);
SELECT pg_catalog.setval('public.webhook_deliveries_id_seq', 2, true);
ALTER TABLE ONLY public.account_backoffs
    ADD CONSTRAINT account_backoffs_pkey PRIMARY KEY (network, account);
ALTER TABLE ONLY public.account_logs
    ADD CONSTRAINT account_logs_pkey PRIMARY KEY (network, block_hash, log_index);
ALTER TABLE ONLY public.account_modules
    ADD CONSTRAINT account_modules_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.account_watches
    ADD CONSTRAINT account_watches_pkey PRIMARY KEY (account);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_eoa_address_key UNIQUE (eoa_address);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (address);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY public.alarms
    ADD CONSTRAINT alarms_pkey PRIMARY KEY (network, kind, log);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.archived_months
    ADD CONSTRAINT archived_months_pkey PRIMARY KEY (month);
ALTER TABLE ONLY public.archived_operations
    ADD CONSTRAINT archived_operations_pkey PRIMARY KEY (user_op_hash, signed_at);
ALTER TABLE ONLY public.attestations
    ADD CONSTRAINT attestations_pkey PRIMARY KEY (order_hash, attestor);
ALTER TABLE ONLY public.audit_deliveries
    ADD CONSTRAINT audit_deliveries_pkey PRIMARY KEY (destination);
ALTER TABLE ONLY public.audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT challenges_pkey PRIMARY KEY (challenge);
ALTER TABLE ONLY public.cost_levels
    ADD CONSTRAINT cost_levels_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_signer_key UNIQUE (signer);
ALTER TABLE ONLY public.event_positions
    ADD CONSTRAINT event_positions_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_position_key UNIQUE ("position");
ALTER TABLE ONLY public.gas_policy_edits
    ADD CONSTRAINT gas_policy_edits_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.gas_top_ups
    ADD CONSTRAINT gas_top_ups_pkey PRIMARY KEY (txn_hash);
ALTER TABLE ONLY public.guardian_problems
    ADD CONSTRAINT guardian_problems_pkey PRIMARY KEY (account, guardian, network);
ALTER TABLE ONLY public.guardian_requests
    ADD CONSTRAINT guardian_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.guardian_sets
    ADD CONSTRAINT guardian_sets_pkey PRIMARY KEY (account, hash);
ALTER TABLE ONLY public.guardian_watches
    ADD CONSTRAINT guardian_watches_pkey PRIMARY KEY (account);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, endpoint, key);
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_id_key UNIQUE (id);
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.identity_names
    ADD CONSTRAINT identity_names_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.imported_accounts
    ADD CONSTRAINT imported_accounts_external_id_key UNIQUE (external_id);
ALTER TABLE ONLY public.imported_accounts
    ADD CONSTRAINT imported_accounts_pkey PRIMARY KEY (eoa_address);
ALTER TABLE ONLY public.imported_accounts
    ADD CONSTRAINT imported_accounts_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY public.known_guardians
    ADD CONSTRAINT known_guardians_pkey PRIMARY KEY (account, guardian);
ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.ledger_accounts
    ADD CONSTRAINT ledger_accounts_pkey PRIMARY KEY (account, network);
ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (account, network, block_number, log_index, part);
ALTER TABLE ONLY public.ledger_networks
    ADD CONSTRAINT ledger_networks_pkey PRIMARY KEY (network);
ALTER TABLE ONLY public.log_watches
    ADD CONSTRAINT log_watches_pkey PRIMARY KEY (network);
ALTER TABLE ONLY public.message_progress
    ADD CONSTRAINT message_progress_pkey PRIMARY KEY (network, account, hash);
ALTER TABLE ONLY public.nonce_holds
    ADD CONSTRAINT nonce_holds_pkey PRIMARY KEY (hold_id);
ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (user_op_hash);
ALTER TABLE ONLY public.operator_approvals
    ADD CONSTRAINT operator_approvals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.operator_challenges
    ADD CONSTRAINT operator_challenges_pkey PRIMARY KEY (challenge);
ALTER TABLE ONLY public.operator_identities
    ADD CONSTRAINT operator_identities_operator_id_key UNIQUE (operator_id);
ALTER TABLE ONLY public.operator_identities
    ADD CONSTRAINT operator_identities_pkey PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY public.operator_invitations
    ADD CONSTRAINT operator_invitations_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.operator_passkeys
    ADD CONSTRAINT operator_passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.operator_proofs
    ADD CONSTRAINT operator_proofs_pkey PRIMARY KEY (session_id);
ALTER TABLE ONLY public.operator_sessions
    ADD CONSTRAINT operator_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.operator_sessions
    ADD CONSTRAINT operator_sessions_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.operators
    ADD CONSTRAINT operators_name_key UNIQUE (name);
ALTER TABLE ONLY public.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.order_debits
    ADD CONSTRAINT order_debits_pkey PRIMARY KEY (order_id, network);
ALTER TABLE ONLY public.order_operations
    ADD CONSTRAINT order_operations_pkey PRIMARY KEY (order_hash);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_order_hash_key UNIQUE (order_hash);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (order_id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_withdrawal_digest_key UNIQUE (withdrawal_digest);
ALTER TABLE ONLY public.owner_changes
    ADD CONSTRAINT owner_changes_pkey PRIMARY KEY (account, sequence);
ALTER TABLE ONLY public.owner_histories
    ADD CONSTRAINT owner_histories_pkey PRIMARY KEY (network, account);
ALTER TABLE ONLY public.passes
    ADD CONSTRAINT passes_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.processes
    ADD CONSTRAINT processes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.recoveries
    ADD CONSTRAINT recoveries_pkey PRIMARY KEY (account, hash);
ALTER TABLE ONLY public.recovery_signatures
    ADD CONSTRAINT recovery_signatures_pkey PRIMARY KEY (account, hash, guardian, network);
ALTER TABLE ONLY public.recovery_watches
    ADD CONSTRAINT recovery_watches_pkey PRIMARY KEY (network);
ALTER TABLE ONLY public.relayer_leases
    ADD CONSTRAINT relayer_leases_pkey PRIMARY KEY (network, relayer);
ALTER TABLE ONLY public.relayer_losses
    ADD CONSTRAINT relayer_losses_pkey PRIMARY KEY (txn_hash, user_op_hash);
ALTER TABLE ONLY public.relayer_refills
    ADD CONSTRAINT relayer_refills_pkey PRIMARY KEY (txn_hash);
ALTER TABLE ONLY public.relayer_transaction_operations
    ADD CONSTRAINT relayer_transaction_operations_pkey PRIMARY KEY (txn_hash, "position");
ALTER TABLE ONLY public.relayer_transactions
    ADD CONSTRAINT relayer_transactions_pkey PRIMARY KEY (txn_hash);
ALTER TABLE ONLY public.relying_party
    ADD CONSTRAINT relying_party_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.session_warnings
    ADD CONSTRAINT session_warnings_pkey PRIMARY KEY (account, network, key_id, type);
ALTER TABLE ONLY public.session_watches
    ADD CONSTRAINT session_watches_pkey PRIMARY KEY (network);
ALTER TABLE ONLY public.settlement_debits
    ADD CONSTRAINT settlement_debits_pkey PRIMARY KEY (txn_hash, "position");
ALTER TABLE ONLY public.smart_balance_ledger
    ADD CONSTRAINT smart_balance_ledger_pkey PRIMARY KEY (account, network);
ALTER TABLE ONLY public.smart_balance_networks
    ADD CONSTRAINT smart_balance_networks_pkey PRIMARY KEY (network);
ALTER TABLE ONLY public.smart_balance_terms
    ADD CONSTRAINT smart_balance_terms_pkey PRIMARY KEY (account, output_network);
ALTER TABLE ONLY public.sponsorship_days
    ADD CONSTRAINT sponsorship_days_pkey PRIMARY KEY (network, budget, day);
ALTER TABLE ONLY public.sponsorship_suspensions
    ADD CONSTRAINT sponsorship_suspensions_pkey PRIMARY KEY (network, subject);
ALTER TABLE ONLY public.sponsorships
    ADD CONSTRAINT sponsorships_pkey PRIMARY KEY (user_op_hash);
ALTER TABLE ONLY public.token_keys
    ADD CONSTRAINT token_keys_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_username_key_key UNIQUE (username_key);
ALTER TABLE ONLY public.watched_contracts
    ADD CONSTRAINT watched_contracts_pkey PRIMARY KEY (network);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_event_id_key UNIQUE (endpoint_id, event_id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_tests
    ADD CONSTRAINT webhook_tests_pkey PRIMARY KEY (endpoint_id);
CREATE INDEX account_logs_by_time ON public.account_logs USING btree (seen_at) WHERE final;
CREATE INDEX account_logs_unfinished ON public.account_logs USING btree (network, block_number) WHERE (NOT final);
CREATE INDEX accounts_unconfirmed ON public.accounts USING btree (created_at) WHERE (NOT confirmed);
CREATE INDEX alarms_by_topic ON public.alarms USING btree (network, kind, topic);
CREATE INDEX archived_operations_activity ON ONLY public.archived_operations USING btree (account, signed_at);
CREATE INDEX archived_operations_by_session ON ONLY public.archived_operations USING btree (account, ((session_key ->> 'key'::text)), signed_at DESC) WHERE (session_key IS NOT NULL);
CREATE INDEX archived_operations_failed_of_account ON ONLY public.archived_operations USING btree (account, state, signed_at) WHERE ((signed_at IS NOT NULL) AND ((state = ANY (ARRAY['dropped'::text, 'expired'::text])) OR (success = false)));
CREATE INDEX archived_operations_history ON ONLY public.archived_operations USING btree (account, included_at DESC) WHERE (state = 'included'::text);
CREATE INDEX archived_operations_removing_owners ON ONLY public.archived_operations USING btree (account) WHERE (((user_op ->> 'callData'::text) ~~ '%f8dc5dd9%'::text) OR ((user_op ->> 'callData'::text) ~~ '%e318b52b%'::text));
CREATE INDEX audit_log_by_subject ON public.audit_log USING btree (act, subject, "position");
CREATE INDEX challenges_by_expiry ON public.challenges USING btree (expires_at);
CREATE INDEX challenges_by_subject ON public.challenges USING btree (ceremony, subject);
CREATE INDEX cost_levels_by_age ON public.cost_levels USING btree (updated_at);
CREATE INDEX credentials_by_user ON public.credentials USING btree (user_id);
CREATE UNIQUE INDEX credentials_first_owner ON public.credentials USING btree (user_id) WHERE first_owner;
CREATE UNIQUE INDEX credentials_public_key ON public.credentials USING btree (public_key);
CREATE INDEX events_by_account ON public.events USING btree (account, "position");
CREATE INDEX events_by_operation ON public.events USING hash (((data ->> 'userOpHash'::text)));
CREATE INDEX events_by_time ON public.events USING btree (created_at);
CREATE INDEX events_without_position ON public.events USING btree (id) WHERE ("position" IS NULL);
CREATE INDEX gas_top_ups_by_time ON public.gas_top_ups USING btree (network, created_at);
CREATE INDEX guardian_requests_by_account ON public.guardian_requests USING btree (account, requested_at);
CREATE INDEX guardian_requests_by_expiry ON public.guardian_requests USING btree (expires_at);
CREATE INDEX guardian_requests_by_identity ON public.guardian_requests USING btree (identity_id);
CREATE INDEX guardian_watches_due ON public.guardian_watches USING btree (next_check_at);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX identities_by_user ON public.identities USING btree (user_id);
CREATE INDEX identity_names_by_expiry ON public.identity_names USING btree (expires_at);
CREATE UNIQUE INDEX identity_names_by_skeleton ON public.identity_names USING btree (username_skeleton);
CREATE INDEX imported_accounts_waiting ON public.imported_accounts USING btree (expires_at) WHERE (claimed_at IS NULL);
CREATE INDEX known_guardians_by_guardian ON public.known_guardians USING btree (guardian);
CREATE INDEX ledger_accounts_behind ON public.ledger_accounts USING btree (network, read_to) WHERE (read_to IS NOT NULL);
CREATE INDEX ledger_accounts_due ON public.ledger_accounts USING btree (network, reconcile_at) WHERE (read_to IS NULL);
CREATE INDEX ledger_entries_by_time ON public.ledger_entries USING btree (account, at, network, block_number, log_index, part);
CREATE INDEX ledger_entries_received ON public.ledger_entries USING btree (account, network, block_number DESC, log_index DESC, part DESC) WHERE ((holding = 'account'::text) AND (amount > (0)::numeric) AND (txn_hash IS NOT NULL));
CREATE INDEX message_progress_due ON public.message_progress USING btree (network, kind, next_attempt_at) WHERE (NOT final);
CREATE INDEX message_progress_of_account ON public.message_progress USING btree (account);
CREATE INDEX message_progress_running ON public.message_progress USING btree (network, account) WHERE ((kind = 'recovery'::text) AND (state = 'running'::text) AND (NOT final));
CREATE INDEX nonce_holds_account ON public.nonce_holds USING btree (account, network);
CREATE INDEX operations_activity ON public.operations USING btree (account, signed_at) WHERE (signed_at IS NOT NULL);
CREATE INDEX operations_by_challenge ON public.operations USING btree (safe_op_hash) WHERE (sign_mode = 'WEBAUTHN'::text);
CREATE INDEX operations_by_ecdsa ON public.operations USING btree (account, "right"(signature, 130)) WHERE (signature IS NOT NULL);
CREATE INDEX operations_by_p256 ON public.operations USING btree (account, "left"("right"(signature, 256), 128)) WHERE ((signature IS NOT NULL) AND (sign_mode = 'SESSION_KEY'::text));
CREATE INDEX operations_by_session ON public.operations USING btree (account, ((session_key ->> 'key'::text)), signed_at DESC) WHERE ((session_key IS NOT NULL) AND (signed_at IS NOT NULL));
CREATE INDEX operations_failed ON public.operations USING btree (network, state, signed_at) WHERE ((signed_at IS NOT NULL) AND ((state = ANY (ARRAY['dropped'::text, 'expired'::text])) OR (success = false)));
CREATE INDEX operations_failed_of_account ON public.operations USING btree (account, state, signed_at) WHERE ((signed_at IS NOT NULL) AND ((state = ANY (ARRAY['dropped'::text, 'expired'::text])) OR (success = false)));
CREATE INDEX operations_history ON public.operations USING btree (account, included_at DESC) WHERE (state = 'included'::text);
CREATE INDEX operations_included_nonces ON public.operations USING btree (account, network, nonce_key, nonce_sequence) WHERE (state = 'included'::text);
CREATE INDEX operations_lanes ON public.operations USING btree (account, network, nonce_key, nonce_sequence);
CREATE INDEX operations_lapsed ON public.operations USING btree (build_expires_at) WHERE ((signature IS NULL) AND (signed_at IS NULL));
CREATE INDEX operations_not_final ON public.operations USING btree (network, block_number, block_hash) WHERE ((NOT final) AND (state = 'included'::text));
CREATE INDEX operations_open ON public.operations USING btree (network, signed_at, user_op_hash) WHERE ((NOT final) AND (state <> 'included'::text) AND (signed_at IS NOT NULL));
CREATE INDEX operations_removing_owners ON public.operations USING btree (account) WHERE (((user_op ->> 'callData'::text) ~~ '%f8dc5dd9%'::text) OR ((user_op ->> 'callData'::text) ~~ '%e318b52b%'::text));
CREATE INDEX operations_replaces ON public.operations USING btree (replaces) WHERE (replaces IS NOT NULL);
CREATE INDEX operations_settled ON public.operations USING btree (network, signed_at) WHERE (final AND (signed_at IS NOT NULL));
CREATE INDEX operations_unresolved ON public.operations USING btree (network, account, nonce_key, nonce_sequence) WHERE ((NOT final) AND (state <> 'included'::text) AND (signature IS NOT NULL));
CREATE INDEX operations_unsigned ON public.operations USING btree (account, built_by, build_expires_at) WHERE (signature IS NULL);
CREATE INDEX operator_approvals_by_time ON public.operator_approvals USING btree (requested_at);
CREATE INDEX operator_approvals_waiting ON public.operator_approvals USING btree (expires_at) WHERE (state = 'waiting'::text);
CREATE INDEX operator_challenges_by_expiry ON public.operator_challenges USING btree (expires_at);
CREATE INDEX operator_invitations_open ON public.operator_invitations USING btree (operator_id) WHERE (used_at IS NULL);
CREATE INDEX operator_passkeys_of ON public.operator_passkeys USING btree (operator_id);
CREATE INDEX operator_sessions_of ON public.operator_sessions USING btree (operator_id, created_at);
CREATE INDEX order_debits_open ON public.order_debits USING btree (network) WHERE (state = ANY (ARRAY['RESERVED'::text, 'DUE'::text, 'PARTIAL'::text]));
CREATE INDEX order_operations_by_operation ON public.order_operations USING btree (user_op_hash);
CREATE INDEX order_operations_by_order ON public.order_operations USING btree (order_id);
CREATE INDEX orders_by_operation ON public.orders USING btree (user_op_hash) WHERE (user_op_hash IS NOT NULL);
CREATE INDEX orders_cosigned ON public.orders USING btree (account) WHERE (withdrawal_state = 'open'::text);
CREATE INDEX orders_history ON public.orders USING btree (account, reserved_at DESC);
CREATE INDEX orders_open ON public.orders USING btree (account, output_network) WHERE (closed_at IS NULL);
CREATE INDEX orders_open_by_network ON public.orders USING btree (output_network) WHERE (closed_at IS NULL);
CREATE INDEX orders_unsigned ON public.orders USING btree (reserved_at) WHERE (user_op_hash IS NULL);
CREATE INDEX owner_changes_of_visitors ON public.owner_changes USING btree (created_at) WHERE (POSITION((' '::text) IN (sent_by)) > 0);
CREATE INDEX rate_limits_by_expiry ON public.rate_limits USING btree (expire);
CREATE INDEX recoveries_of_visitors ON public.recoveries USING btree (created_at) WHERE (POSITION((' '::text) IN (sent_by)) > 0);
CREATE INDEX relayer_losses_accounts ON public.relayer_losses USING btree (network, account) WHERE ((owed > (0)::numeric) AND (repaid_by IS NULL));
CREATE INDEX relayer_losses_by_time ON public.relayer_losses USING btree (network, lost_at);
CREATE INDEX relayer_losses_callers ON public.relayer_losses USING btree (network, sent_by, lost_at) WHERE ((owed > (0)::numeric) AND (repaid_by IS NULL));
CREATE INDEX relayer_refills_by_time ON public.relayer_refills USING btree (network, created_at);
CREATE INDEX relayer_refills_open ON public.relayer_refills USING btree (network) WHERE (NOT final);
CREATE INDEX relayer_transaction_operations_by_operation ON public.relayer_transaction_operations USING btree (user_op_hash);
CREATE INDEX relayer_transactions_by_day ON public.relayer_transactions USING btree (created_at) WHERE (spent IS NOT NULL);
CREATE INDEX relayer_transactions_by_intent ON public.relayer_transactions USING btree (network, intent) WHERE (intent IS NOT NULL);
CREATE INDEX relayer_transactions_by_nonce ON public.relayer_transactions USING btree (network, relayer, nonce);
CREATE INDEX relayer_transactions_live ON public.relayer_transactions USING btree (network, relayer) WHERE (state = 'live'::text);
CREATE INDEX relayer_transactions_losses ON public.relayer_transactions USING btree (network, relayer, created_at) WHERE (loss > (0)::numeric);
CREATE INDEX relayer_transactions_unaudited ON public.relayer_transactions USING btree (network) WHERE ((state = 'mined'::text) AND (NOT audited));
CREATE INDEX relayer_transactions_with_raw ON public.relayer_transactions USING btree (created_at) WHERE (raw <> ''::text);
CREATE INDEX session_operation_events ON public.events USING btree (network, "position") WHERE ((data -> 'sessionKey'::text) IS NOT NULL);
CREATE INDEX session_operations_by_time ON public.operations USING btree (signed_at) WHERE ((session_key IS NOT NULL) AND (signed_at IS NOT NULL));
CREATE INDEX settlement_debits_by_debit ON public.settlement_debits USING btree (order_id, network);
CREATE INDEX settlement_debits_open ON public.settlement_debits USING btree (network) WHERE (NOT final);
CREATE INDEX sponsorship_days_by_day ON public.sponsorship_days USING btree (day) WHERE (day <> 'total'::text);
CREATE INDEX sponsorships_of_account ON public.sponsorships USING btree (account, network, day);
CREATE INDEX sponsorships_open ON public.sponsorships USING btree (network, created_at) WHERE (charged IS NULL);
CREATE INDEX sponsorships_unjudged ON public.sponsorships USING btree (network, valid_until) WHERE (verdict IS NULL);
CREATE INDEX sponsorships_unpaid ON public.sponsorships USING btree (network, created_at) WHERE (verdict = 'unpaid'::text);
CREATE INDEX users_by_skeleton_version ON public.users USING btree (skeleton_version, created_at, id);
CREATE INDEX users_search_prefix ON public.users USING btree (username_key) WHERE listed;
CREATE INDEX users_search_substring ON public.users USING gin (username_key public.gin_trgm_ops) WHERE listed;
CREATE UNIQUE INDEX users_username_skeleton ON public.users USING btree (username_skeleton);
CREATE INDEX webhook_deliveries_by_account ON public.webhook_deliveries USING btree (endpoint_id, account, "position");
CREATE INDEX webhook_deliveries_by_event ON public.webhook_deliveries USING btree (event_id);
CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (endpoint_id, account, "position") WHERE (state = 'pending'::text);
CREATE INDEX webhook_tests_open ON public.webhook_tests USING btree (next_attempt_at) WHERE (answered_at IS NULL);
CREATE STATISTICS public.operations_of_sessions (mcv) ON account, (session_key ->> 'key'::text) FROM public.operations;
CREATE TRIGGER account_log_final AFTER UPDATE ON public.account_logs REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.write_account_log_events();
CREATE TRIGGER account_log_recorded AFTER INSERT ON public.account_logs REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.write_account_log_events();
CREATE TRIGGER account_log_removed AFTER DELETE ON public.account_logs REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.write_account_log_events();
CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change();
CREATE TRIGGER deposit_events AFTER INSERT OR UPDATE OF balance, exiting ON public.smart_balance_ledger FOR EACH ROW EXECUTE FUNCTION public.write_deposit_events();
CREATE TRIGGER guardian_problem_events AFTER INSERT OR DELETE OR UPDATE ON public.guardian_problems FOR EACH ROW EXECUTE FUNCTION public.write_guardian_events();
CREATE TRIGGER guardian_request_events AFTER INSERT ON public.guardian_requests FOR EACH ROW EXECUTE FUNCTION public.write_guardian_request_event();
CREATE TRIGGER operation_events AFTER UPDATE OF state, final, block_hash ON public.operations FOR EACH ROW WHEN (((((old.state IS DISTINCT FROM new.state) OR (old.final IS DISTINCT FROM new.final)) OR (old.block_hash IS DISTINCT FROM new.block_hash)) AND (new.signed_at IS NOT NULL))) EXECUTE FUNCTION public.write_operation_events();
CREATE TRIGGER order_events AFTER UPDATE OF state ON public.orders FOR EACH ROW WHEN (((old.state <> new.state) AND (new.state <> 'RESERVED'::text))) EXECUTE FUNCTION public.write_order_events();
CREATE TRIGGER session_warning_events AFTER INSERT OR UPDATE ON public.session_warnings FOR EACH ROW EXECUTE FUNCTION public.write_session_warning_events();
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.attestations
    ADD CONSTRAINT attestations_order_hash_fkey FOREIGN KEY (order_hash) REFERENCES public.order_operations(order_hash);
ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.gas_top_ups
    ADD CONSTRAINT gas_top_ups_txn_hash_fkey FOREIGN KEY (txn_hash) REFERENCES public.relayer_transactions(txn_hash);
ALTER TABLE ONLY public.guardian_requests
    ADD CONSTRAINT guardian_requests_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES public.identities(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.imported_accounts
    ADD CONSTRAINT imported_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.known_guardians
    ADD CONSTRAINT known_guardians_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.ledger_accounts
    ADD CONSTRAINT ledger_accounts_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(address);
ALTER TABLE ONLY public.nonce_holds
    ADD CONSTRAINT nonce_holds_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(address);
ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(address);
ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_replaces_fkey FOREIGN KEY (replaces) REFERENCES public.operations(user_op_hash) ON DELETE SET NULL;
ALTER TABLE ONLY public.operator_approvals
    ADD CONSTRAINT operator_approvals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES public.operators(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.operator_approvals
    ADD CONSTRAINT operator_approvals_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES public.operators(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_challenges
    ADD CONSTRAINT operator_challenges_token_hash_fkey FOREIGN KEY (token_hash) REFERENCES public.operator_invitations(token_hash) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_identities
    ADD CONSTRAINT operator_identities_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operators(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_invitations
    ADD CONSTRAINT operator_invitations_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operators(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_passkeys
    ADD CONSTRAINT operator_passkeys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operators(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_proofs
    ADD CONSTRAINT operator_proofs_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.operator_sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_sessions
    ADD CONSTRAINT operator_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operators(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.order_debits
    ADD CONSTRAINT order_debits_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(order_id);
ALTER TABLE ONLY public.order_operations
    ADD CONSTRAINT order_operations_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(order_id);
ALTER TABLE ONLY public.order_operations
    ADD CONSTRAINT order_operations_user_op_hash_fkey FOREIGN KEY (user_op_hash) REFERENCES public.operations(user_op_hash);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(address);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_user_op_hash_fkey FOREIGN KEY (user_op_hash) REFERENCES public.operations(user_op_hash);
ALTER TABLE ONLY public.recovery_signatures
    ADD CONSTRAINT recovery_signatures_account_hash_fkey FOREIGN KEY (account, hash) REFERENCES public.recoveries(account, hash) ON DELETE CASCADE;
ALTER TABLE ONLY public.relayer_refills
    ADD CONSTRAINT relayer_refills_txn_hash_fkey FOREIGN KEY (txn_hash) REFERENCES public.relayer_transactions(txn_hash);
ALTER TABLE ONLY public.relayer_transaction_operations
    ADD CONSTRAINT relayer_transaction_operations_txn_hash_fkey FOREIGN KEY (txn_hash) REFERENCES public.relayer_transactions(txn_hash);
ALTER TABLE ONLY public.relayer_transaction_operations
    ADD CONSTRAINT relayer_transaction_operations_user_op_hash_fkey FOREIGN KEY (user_op_hash) REFERENCES public.operations(user_op_hash);
ALTER TABLE ONLY public.settlement_debits
    ADD CONSTRAINT settlement_debits_order_id_network_fkey FOREIGN KEY (order_id, network) REFERENCES public.order_debits(order_id, network);
ALTER TABLE ONLY public.settlement_debits
    ADD CONSTRAINT settlement_debits_txn_hash_fkey FOREIGN KEY (txn_hash) REFERENCES public.relayer_transactions(txn_hash);
ALTER TABLE ONLY public.smart_balance_ledger
    ADD CONSTRAINT smart_balance_ledger_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(address);
ALTER TABLE ONLY public.smart_balance_terms
    ADD CONSTRAINT smart_balance_terms_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(address);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.events(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_tests
    ADD CONSTRAINT webhook_tests_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id) ON DELETE CASCADE;
