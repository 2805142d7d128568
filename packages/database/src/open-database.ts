import { type ConnectionQueue, createArrivalQueue } from './engines/fair-pool.ts'
import { isNew, openPGlite } from './engines/open-pglite.ts'
import { openPostgres } from './engines/open-postgres.ts'
import { type DatabaseLog, silentLog } from './log.ts'
import { migratedImage } from './migrated-image.ts'
import type { OpenDatabase } from './opened-database.ts'

export interface OpenDatabaseOptions {
  /** `postgresql://…`, version 15 or later. Absent: PGlite. */
  readonly url?: string | undefined
  /** Where PGlite keeps its files. Absent: in memory. */
  readonly dataDir?: string | undefined
  /**
   * Starts a new PGlite from a cached image with this version's schema, which is faster than `migrate` on an
   * empty one. `migrate` is still required: an existing database may be older. Default: false.
   */
  readonly migrated?: boolean | undefined
  /** PostgreSQL: maximum number of connections of this process. Default: 10. */
  readonly maxConnections?: number | undefined
  /**
   * PostgreSQL: milliseconds after which a statement without a response fails and its connection is closed.
   * Default: 12 seconds.
   */
  readonly answerTimeout?: number | undefined
  /**
   * PostgreSQL: whether connections keep their prepared statements, which saves planning. Behind a pooler that gives
   * each transaction another connection they cannot. Default: unless a pooler answers.
   */
  readonly namedStatements?: boolean | undefined
  /** PostgreSQL: who waits for a connection of a pool. Default: in the order of arrival. */
  readonly createQueue?: (() => ConnectionQueue) | undefined
  readonly log?: DatabaseLog | undefined
  /**
   * PGlite: called when it has stopped because it could not write. From then on it throws
   * DATABASE_UNAVAILABLE, and only a new process can open it again.
   */
  readonly onDeath?: ((cause: Error) => void) | undefined
}

/**
 * Opens the database. Call `migrate` next.
 *
 * @throws LanyardError DATABASE_UNAVAILABLE if the server does not respond or is too old, or if another
 * process has the PGlite directory open.
 */
export async function openDatabase(options: OpenDatabaseOptions = {}): Promise<OpenDatabase> {
  const {
    url,
    dataDir,
    migrated = false,
    maxConnections = 10,
    answerTimeout = 12_000,
    namedStatements,
    createQueue = createArrivalQueue,
    log = silentLog,
    onDeath,
  } = options
  if (url) return openPostgres({ url, maxConnections, answerTimeout, namedStatements, createQueue, log })
  const loadDataDir = migrated && isNew(dataDir) ? await migratedImage() : undefined
  return openPGlite({ dataDir, loadDataDir, log, onDeath })
}
