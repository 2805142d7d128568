import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { LanyardError } from '@lanyard/contracts'
import { sql } from 'kysely'
import type { DatabaseLog } from '../log.ts'
import type { OpenDatabase } from '../opened-database.ts'
import { columnParsers } from './column-types.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { FatalErrorPGlite } from './fatal-error-pglite.ts'
import { GuardedKysely } from './guarded-kysely.ts'
import { HeldConnection } from './held-connection.ts'
import { initialisedImage } from './initialised-image.ts'
import { ExclusivePGliteDialect } from './pglite-dialect.ts'
import { tracedDialect } from './traced-dialect.ts'

export interface PGliteOptions {
  /** Absent for a database in memory. */
  readonly dataDir?: string | undefined
  /** A dump of `PGlite.dumpDataDir` to start from. */
  readonly loadDataDir?: Blob | undefined
  readonly log: DatabaseLog
  /** Called when the database has stopped working: only a new process can open it again. */
  readonly onDeath?: ((cause: Error) => void) | undefined
}

/**
 * Settings that save memory: WebAssembly memory never shrinks again, and by default the write-ahead log may
 * grow to 1 GB in memory. The minimum is twice the 16 MB log files of directories that an earlier version
 * created.
 */
const savings = ['shared_buffers=16MB', 'min_wal_size=32MB', 'max_wal_size=64MB'].flatMap((setting) => [
  '-c',
  setting,
])

/** PostgreSQL writes this file first; a directory without it contains no database. */
export const isNew = (dataDir: string | undefined) =>
  dataDir === undefined || !existsSync(join(dataDir, 'PG_VERSION'))

/**
 * @throws LanyardError DATABASE_UNAVAILABLE if another process has the directory open, or if it cannot be
 * written.
 */
export async function openPGlite({
  dataDir,
  loadDataDir,
  log,
  onDeath = () => {},
}: PGliteOptions): Promise<OpenDatabase & { readonly pglite: PGlite }> {
  const lock = dataDir ? await takeDirectory(dataDir) : undefined
  try {
    const image = loadDataDir ?? (isNew(dataDir) ? await initialisedImage() : undefined)
    const options = {
      ...(dataDir && { dataDir }),
      ...(image && { loadDataDir: image }),
      extensions: { pg_trgm },
      startParams: [...PGlite.defaultStartParams, ...savings],
      parsers: { ...columnParsers },
      // A commit returns when the operating system has its bytes, so a killed process loses nothing.
      // A power cut may lose data, because PGlite runs with fsync off.
      relaxedDurability: false,
    }
    const pglite = new FatalErrorPGlite(options, onDeath)
    await pglite.waitReady
    const held = new HeldConnection()
    const dialect = new ExclusivePGliteDialect(pglite, held)
    const db = new GuardedKysely(tracedDialect(dialect), held)
    let closing: Promise<void> | undefined
    const close = () => {
      closing ??= db
        .destroy()
        .then(() => (pglite.closed || pglite.isDead ? undefined : pglite.close()))
        .finally(() => lock?.release())
      return closing
    }
    log.info({ dataDir: dataDir ?? null }, 'The database is PGlite, which is for development only')
    return {
      db,
      engine: 'pglite',
      pglite,
      ping: async () => void (await sql`select 1`.execute(db)),
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    lock?.release()
    throw error
  }
}

async function takeDirectory(dataDir: string): Promise<DirectoryLock> {
  try {
    await mkdir(dirname(dataDir), { recursive: true })
    return lockDirectory(dataDir)
  } catch (cause) {
    if (cause instanceof LanyardError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new LanyardError('DATABASE_UNAVAILABLE', {
      message: `The data directory ${dataDir} cannot be used (${reason}). Choose another DATA_DIR.`,
      cause,
    })
  }
}
