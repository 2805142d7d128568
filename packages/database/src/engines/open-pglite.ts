import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { sql } from 'kysely'
import type { DatabaseLog } from '../log.ts'
import type { OpenDatabase } from '../open-database.ts'
import { columnParsers } from './column-types.ts'
import { lockDirectory } from './directory-lock.ts'
import { GuardedKysely } from './guarded-kysely.ts'
import { HeldConnection } from './held-connection.ts'
import { initialisedImage } from './initialised-image.ts'
import { ExclusivePGliteDialect } from './pglite-dialect.ts'
import { pgliteForJobs } from './pglite-jobs.ts'

export interface PGliteOptions {
  /** Absent: in memory. */
  readonly dataDir?: string | undefined
  /** What `PGlite.dumpDataDir` made, to start from. */
  readonly loadDataDir?: Blob | undefined
  readonly log: DatabaseLog
}

/** PostgreSQL writes this file first; a directory without it holds no database. */
const isNew = (dataDir: string | undefined) =>
  dataDir === undefined || !existsSync(join(dataDir, 'PG_VERSION'))

/** @throws LanyardError DATABASE_UNAVAILABLE when another process has the directory open. */
export async function openPGlite({ dataDir, loadDataDir, log }: PGliteOptions): Promise<OpenDatabase> {
  if (dataDir) await mkdir(dirname(dataDir), { recursive: true })
  const lock = dataDir ? lockDirectory(dataDir) : undefined
  try {
    const image = loadDataDir ?? (isNew(dataDir) ? await initialisedImage() : undefined)
    const pglite = await PGlite.create({
      ...(dataDir && { dataDir }),
      ...(image && { loadDataDir: image }),
      extensions: { pg_trgm },
      parsers: { ...columnParsers },
      // A commit is answered when its bytes are with the operating system: a killed process loses nothing.
      // A power cut may, since PGlite runs with fsync off.
      relaxedDurability: false,
    })
    const held = new HeldConnection()
    const db = new GuardedKysely(new ExclusivePGliteDialect(pglite, held), held)
    let closing: Promise<void> | undefined
    const close = () => {
      closing ??= db
        .destroy()
        .then(() => (pglite.closed ? undefined : pglite.close()))
        .finally(() => lock?.release())
      return closing
    }
    log.info({ dataDir: dataDir ?? null }, 'The database is PGlite, which is for development only')
    return {
      db,
      engine: 'pglite',
      pglite,
      jobs: { pglite: pgliteForJobs(pglite, held) },
      ping: async () => void (await sql`select 1`.execute(db)),
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    lock?.release()
    throw error
  }
}
