import { type Kysely, sql } from 'kysely'

/**
 * One table says how far each network is with what owners and guardians signed, in place of one for changes and one for
 * recoveries. Those stay until a later migration, for the processes that still write them during an upgrade; what such a process
 * adds is found by the look for messages without a row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
    insert into message_progress
      (account, hash, network, kind, state, final, reason, attempts, next_attempt_at, sent_at, executed_at)
    select step.account, change.hash, step.network, 'change',
      case step.state when 'pending' then 'pending' else 'executed' end, step.state = 'final',
      step.reason, step.attempts, step.next_attempt_at, step.sent_at, step.applied_at
    from owner_change_progress as step
      join owner_changes as change on change.account = step.account and change.sequence = step.sequence`.execute(
    db,
  )
  await sql`
    insert into message_progress
      (account, hash, network, kind, state, final, reason, attempts, next_attempt_at, sent_at, head, executed_at)
    select step.account, step.hash, step.network,
      case when message.new_owners is null then 'cancellation' else 'recovery' end, step.state, step.final,
      step.reason, step.attempts, step.next_attempt_at, step.sent_at, step.head, step.executed_at
    from recovery_progress as step
      join recoveries as message on message.account = step.account and message.hash = step.hash`.execute(db)
  await sql`
    create index message_progress_due on message_progress (network, kind, next_attempt_at)
    where not final`.execute(db)
  await sql`create index message_progress_of_account on message_progress (account)`.execute(db)
}
