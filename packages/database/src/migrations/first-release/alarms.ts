import { type Kysely, sql } from 'kysely'

/**
 * What a watch of a chain found that an operator must know, for as long as it is true. Every process shows it, so that an alert
 * outlives the process that found it. And the processes that run, so that a dead one is known.
 */
export async function createAlarms(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alarms (
      network int8 not null,
      kind text not null check (kind in ('governance', 'unexplained-gas', 'recovery', 'owner-split')),
      log text collate "C" not null,
      topic text collate "C" not null,
      event text not null,
      wei numeric not null,
      block_number int8 not null,
      final boolean not null,
      ends_at timestamptz not null,
      primary key (network, kind, log)
    )`.execute(db)
  // A process writes the time here while it lives, and deletes its row when it is told to stop.
  await sql`
    create table processes (
      id uuid primary key,
      roles text not null,
      host text not null,
      version text not null,
      started_at timestamptz not null,
      seen_at timestamptz not null
    )`.execute(db)
  await sql`create index alarms_by_topic on alarms (network, kind, topic)`.execute(db)
}
