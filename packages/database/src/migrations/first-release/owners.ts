import { type Kysely, sql } from 'kysely'

/** Owner changes that were signed once for all networks, recoveries by guardians, and how far each network is. */
export async function createOwners(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table owner_changes (
      account text collate "C" not null,
      sequence numeric(20, 0) not null,
      kind text collate "C" not null,
      data text collate "C" not null,
      signature text collate "C" not null,
      hash text collate "C" not null,
      sent_by text collate "C" not null,
      created_at timestamptz not null,
      primary key (account, sequence)
    )`.execute(db)
  await sql`
    create table guardian_sets (
      account text collate "C" not null,
      hash text collate "C" not null,
      data text collate "C" not null,
      created_at timestamptz not null,
      primary key (account, hash)
    )`.execute(db)
  await sql`
    create table recoveries (
      account text collate "C" not null,
      hash text collate "C" not null,
      sequence numeric(20, 0) not null,
      number numeric(20, 0) not null,
      new_owners text collate "C",
      new_threshold numeric(78, 0),
      result text collate "C",
      head text collate "C" not null,
      sent_by text collate "C" not null,
      created_at timestamptz not null,
      complete_at timestamptz,
      primary key (account, hash)
    )`.execute(db)
  await sql`
    create table recovery_signatures (
      account text collate "C" not null,
      hash text collate "C" not null,
      guardian text collate "C" not null,
      network int8 not null,
      signature text collate "C" not null,
      key text collate "C",
      created_at timestamptz not null,
      primary key (account, hash, guardian, network),
      foreign key (account, hash) references recoveries (account, hash) on delete cascade
    )`.execute(db)
  // How far each network is with what owners and guardians signed.
  await sql`
    create table message_progress (
      account text collate "C" not null,
      hash text collate "C" not null,
      network int8 not null,
      kind text not null check (kind in ('change', 'recovery', 'cancellation')),
      state text not null default 'pending' check (state in ('pending', 'running', 'executed', 'cancelled')),
      final boolean not null default false,
      reason text,
      attempts int4 not null default 0,
      next_attempt_at timestamptz not null,
      sent_at timestamptz,
      head text collate "C",
      executed_at timestamptz,
      primary key (network, account, hash)
    )`.execute(db)
  await sql`
    create index message_progress_due on message_progress (network, kind, next_attempt_at)
    where not final`.execute(db)
  await sql`create index message_progress_of_account on message_progress (account)`.execute(db)
  // The recoveries that run on a network. They are few: each has been started on chain.
  await sql`
    create index message_progress_running on message_progress (network, account)
    where kind = 'recovery' and state = 'running' and not final`.execute(db)
  // What tells of a visitor's address is deleted in time.
  for (const table of ['owner_changes', 'recoveries']) {
    await sql`
      create index ${sql.id(`${table}_of_visitors`)} on ${sql.table(table)} (created_at)
      where position(' ' in sent_by) > 0`.execute(db)
  }
  // What is known of each guardian: the passkey behind its address, and when they last showed that they can sign.
  await sql`
    create table known_guardians (
      account text collate "C" not null,
      guardian text collate "C" not null,
      key text collate "C",
      user_id uuid references users (id),
      proven_at timestamptz,
      primary key (account, guardian)
    )`.execute(db)
  await sql`create index known_guardians_by_guardian on known_guardians (guardian)`.execute(db)
  // Guardians who cannot sign for an account on a network, as of the last check.
  await sql`
    create table guardian_problems (
      account text collate "C" not null,
      guardian text collate "C" not null,
      network int8 not null,
      problem text not null,
      primary key (account, guardian, network)
    )`.execute(db)
  await sql`
    create function write_guardian_events() returns trigger language plpgsql as $$
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
    $$`.execute(db)
  await sql`
    create trigger guardian_problem_events after insert or update or delete on guardian_problems for each row
    execute function write_guardian_events()`.execute(db)
  // When the guardians of an account are checked next.
  await sql`
    create table guardian_watches (
      account text collate "C" primary key,
      next_check_at timestamptz not null
    )`.execute(db)
  await sql`create index guardian_watches_due on guardian_watches (next_check_at)`.execute(db)
  // How far recoveries that guardians started were read.
  await sql`
    create table recovery_watches (
      network int8 primary key,
      block_number int8 not null
    )`.execute(db)
  // Accounts whose owner changes on a network are older than what this service has read, and are to be found there.
  await sql`
    create table owner_histories (
      network int8 not null,
      account text collate "C" not null,
      attempts int4 not null default 0,
      next_attempt_at timestamptz not null,
      primary key (network, account)
    )`.execute(db)
}
