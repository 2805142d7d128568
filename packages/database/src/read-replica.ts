import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type ConnectionQueue, createArrivalQueue } from './engines/fair-pool.ts'
import { openPostgres } from './engines/open-postgres.ts'
import type { DatabaseLog } from './log.ts'
import type { OpenDatabase } from './opened-database.ts'
import type { Database } from './schema.ts'

/** Milliseconds before each look at how far the replica is: it gets 150 in all. */
const pauses = [0, 10, 20, 40, 80] as const

/** Milliseconds in which a replica answers that failed one read, or else rests. */
const probeTimeout = 1_000

/** Who answered a read: the replica, or the primary because the replica is `behind`, or `away`. */
export type ReplicaOutcome = 'replica' | 'behind' | 'away'

/** Reads that need not burden the primary. */
export interface ReadReplica {
  /**
   * Runs a query that only reads. It sees everything that was committed before it began, like on the primary. It may run
   * twice: on the replica, and then on the primary.
   */
  read<T>(query: (database: Kysely<Database>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface ReplicaOptions {
  readonly primary: Kysely<Database>
  /** Of a standby with streaming replication. */
  readonly url: string
  readonly namedStatements?: boolean | undefined
  /** Who waits for a connection of a pool. Default: in the order of arrival. */
  readonly createQueue?: (() => ConnectionQueue) | undefined
  readonly log: DatabaseLog
  readonly observe?: (outcome: ReplicaOutcome) => void
  /** Milliseconds for which a replica that does not answer is left alone. Default: 10 seconds. */
  readonly restTime?: number
  /** Milliseconds that a statement on the replica may take: then the primary answers instead. Default: 3 seconds. */
  readonly answerTimeout?: number
}

/** Without a replica, the primary answers. */
export const withoutReplica = (primary: Kysely<Database>): ReadReplica => ({
  read: (query) => query(primary),
  close: async () => {},
})

/**
 * Opens a replica when it is first needed: a service starts and continues without it.
 *
 * Before each read, the primary says how far its log is on disk, and the replica has to have replayed that. So a read sees its
 * caller's own writes, through whichever process they went. If the replica needs longer than a moment, the primary answers.
 */
export function openReadReplica({
  primary,
  url,
  namedStatements,
  createQueue = createArrivalQueue,
  log,
  observe = () => {},
  restTime = 10_000,
  answerTimeout = 3_000,
}: ReplicaOptions): ReadReplica {
  let opening: Promise<OpenDatabase> | undefined
  let restsUntil = 0

  /** Only a replica that does not answer rests. One that does may have failed one read: of a slow or a wrong query. */
  async function restUnlessAnswers(replica: Kysely<Database>, error: unknown): Promise<void> {
    restsUntil = Number.POSITIVE_INFINITY // others do not wait for it meanwhile
    const late = delay(probeTimeout, false, { ref: false })
    if (await Promise.race([answers(replica), late])) restsUntil = 0
    else rest(error)
  }

  function rest(error: unknown): void {
    restsUntil = performance.now() + restTime
    log.warn({ err: error }, 'the read replica is away: the primary answers')
  }

  async function open(): Promise<Kysely<Database> | undefined> {
    if (performance.now() < restsUntil) return undefined
    opening ??= openPostgres({ url, maxConnections: 10, answerTimeout, namedStatements, createQueue, log })
    try {
      return (await opening).db
    } catch (error) {
      opening = undefined
      rest(error)
      return undefined
    }
  }

  async function attempt<T>(
    query: (database: Kysely<Database>) => Promise<T>,
  ): Promise<{ readonly result: T } | Exclude<ReplicaOutcome, 'replica'>> {
    const replica = await open()
    if (!replica) return 'away'
    const position = await readPosition(primary)
    try {
      return (await hasReplayed(replica, position)) ? { result: await query(replica) } : 'behind'
    } catch (error) {
      // Whatever it is: the primary would fail, too, if the query were wrong.
      await restUnlessAnswers(replica, error)
      return 'away'
    }
  }

  return {
    async read(query) {
      const attempted = await attempt(query)
      if (typeof attempted === 'string') {
        observe(attempted)
        return query(primary)
      }
      observe('replica')
      return attempted.result
    },
    async close() {
      const opened = await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}

const answers = (replica: Kysely<Database>): Promise<boolean> =>
  sql`select 1`.execute(replica).then(
    () => true,
    () => false,
  )

/** How far the primary's log is on disk. Each commit that was answered is before it. */
async function readPosition(primary: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{
    position: string
  }>`select pg_current_wal_flush_lsn()::text as position`.execute(primary)
  return rows[0]?.position ?? ''
}

async function hasReplayed(replica: Kysely<Database>, position: string): Promise<boolean> {
  for (const pause of pauses) {
    if (pause > 0) await delay(pause)
    const { rows } = await sql<{ standby: boolean; replayed: boolean | null }>`
      select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn() >= ${position}::pg_lsn as replayed`.execute(
      replica,
    )
    const { standby, replayed } = rows[0] ?? {}
    // One that was promoted goes its own way.
    if (!standby) return false
    if (replayed) return true
  }
  return false
}
