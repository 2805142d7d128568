import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as untilNextTurn } from 'node:timers/promises'
import { PGlite, type PGliteOptions, parse, protocol } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { LanyardError } from '@lanyard/contracts'
import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PGliteAdapter,
  PGliteDialect,
  PGliteDriver,
  sql,
} from 'kysely'
import type { DatabaseLog } from '../log.ts'
import type { OpenDatabase } from '../opened-database.ts'
import { initialisedImage } from './cached-image.ts'
import {
  columnParsers,
  GuardedKysely,
  HeldConnection,
  isOutdatedPlan,
  OutdatedPlanError,
  tracedDialect,
} from './common.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'

type Stream = PGlite['execProtocolStream']

/**
 * A PGlite that rejects all calls after PostgreSQL has failed fatally (severity PANIC: it could not write its
 * log, because the disk is full). A server would end its process at that point and recover from the log at
 * the next start. Inside this process, the next call would never return and would block everything else.
 */
class FatalErrorPGlite extends PGlite {
  readonly #onDeath: (cause: Error) => void
  /** The error that made it fail. */
  #cause: Error | undefined

  constructor(options: PGliteOptions, onDeath: (cause: Error) => void) {
    super(options)
    this.#onDeath = onDeath
  }

  get isDead(): boolean {
    return this.#cause !== undefined
  }

  /** All queries go through this method, and no other method waits for a response. */
  override async execProtocolStream(...[message, options]: Parameters<Stream>): ReturnType<Stream> {
    if (this.#cause) throw databaseFailed(this.#cause)
    try {
      return await super.execProtocolStream(message, options)
    } catch (error) {
      if (!isPanic(error)) throw error
      this.#cause = error
      this.#onDeath(error)
      throw databaseFailed(error)
    }
  }
}

/** Creates a new error each time, with the caller's stack. */
const databaseFailed = (cause: Error) =>
  new LanyardError('DATABASE_UNAVAILABLE', {
    message:
      'The database could not write to its disk, so the service ends. Everything that it answered before is kept.',
    cause,
  })

/**
 * PGlite reports only the last of several errors in a statement. After a log record that could not be
 * written, that is the rollback's error, which finds the unfinished record.
 */
const isPanic = (error: unknown): error is Error =>
  error instanceof Error &&
  (('severity' in error && error.severity === 'PANIC') ||
    ('routine' in error && error.routine === 'XLogBeginInsert'))

/** Kysely's PGlite dialect, with its one connection given to one caller at a time, in order of request. */
export class ExclusivePGliteDialect extends PGliteDialect {
  readonly #pglite: PGlite
  readonly #held: HeldConnection

  constructor(pglite: PGlite, held: HeldConnection) {
    super({ pglite })
    this.#pglite = pglite
    this.#held = held
  }

  override createDriver(): Driver {
    return new ExclusivePGliteDriver(this.#pglite, this.#held)
  }

  override createAdapter(): PGliteAdapter {
    return new ExclusivePGliteAdapter()
  }
}

/** Kysely has its own mutex for single connections, but it waits before the driver could throw. */
class ExclusivePGliteAdapter extends PGliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** A statement that PGlite has parsed. */
interface Prepared {
  readonly parameterTypes: readonly number[]
  /** Describes the rows, for `parse.parseResults`. */
  readonly description: readonly Message[]
  uses: number
}

type Message = Awaited<ReturnType<Stream>>[number]

interface StatementResult {
  readonly rows: unknown[]
  readonly affectedRows?: number | undefined
}

/** A plan that was made while a table was small stays until the table is analysed, which nothing here does by itself. */
const maxUses = 100

/** Each keeps a plan in WebAssembly's memory, which never shrinks. */
const maxNames = 200

const { serialize } = protocol

/**
 * Runs statements by name from their second use on. PGlite parses and plans a named one once, and runs it in one exchange of
 * messages instead of six. The caller has the only connection.
 */
class NamedStatements {
  readonly #pglite: PGlite
  /** By name. */
  readonly #prepared = new Map<string, Prepared>()
  /** By text. */
  readonly #names = new Map<string, string>()
  readonly #seenOnce = new Set<string>()

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  /** @returns undefined for a statement without a name */
  async run(
    text: string,
    parameters: readonly unknown[],
    isInTransaction: boolean,
  ): Promise<StatementResult | undefined> {
    const name = this.#nameOf(text)
    if (name === undefined) return undefined
    const pglite = this.#pglite
    const runOnce = () => pglite._runExclusiveQuery(() => this.#execute(name, text, parameters))
    if (isInTransaction) {
      return runOnce().catch((error: unknown) => {
        if (!isOutdatedPlan(error)) throw error
        this.#prepared.clear()
        throw new OutdatedPlanError(error)
      })
    }
    return pglite._runExclusiveTransaction(async () => {
      const result = await runOnce().catch((error: unknown) => {
        if (!isOutdatedPlan(error)) throw error
        this.#prepared.clear()
        return runOnce()
      })
      await pglite.syncToFs()
      return result
    })
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= maxNames) return known
    if (this.#seenOnce.delete(text)) {
      const name = `lanyard_${this.#names.size}`
      this.#names.set(text, name)
      return name
    }
    if (this.#seenOnce.size >= maxNames) this.#seenOnce.clear()
    this.#seenOnce.add(text)
    return undefined
  }

  #exchange(...messages: readonly Uint8Array[]): Promise<readonly Message[]> {
    return this.#pglite.execProtocolStream(Buffer.concat(messages), { syncToFs: false })
  }

  async #prepare(name: string, text: string): Promise<Prepared> {
    const messages = await this.#exchange(
      serialize.close({ type: 'S', name }),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const statement = {
      parameterTypes: parse.parseDescribeStatementResults([...messages]),
      description: messages.filter(({ name }) => name === 'rowDescription'),
      uses: 0,
    }
    this.#prepared.set(name, statement)
    return statement
  }

  async #execute(name: string, text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const known = this.#prepared.get(name)
    const statement = known && known.uses < maxUses ? known : await this.#prepare(name, text)
    statement.uses++
    const values = parameters.map((value, index) => {
      if (value === null || value === undefined) return null
      const toText = this.#pglite.serializers[statement.parameterTypes[index] ?? 0]
      return toText ? toText(value) : String(value)
    })
    const messages = await this.#exchange(
      serialize.bind({ statement: name, values }),
      serialize.execute({}),
      serialize.sync(),
    )
    const [result] = parse.parseResults([...statement.description, ...messages], this.#pglite.parsers)
    return { rows: result?.rows ?? [], affectedRows: result?.affectedRows }
  }
}

/** Kysely does not export its name. */
type OwnConnection = Parameters<PGliteDriver['beginTransaction']>[0]

class ExclusivePGliteDriver extends PGliteDriver {
  readonly #held: HeldConnection
  readonly #statements: NamedStatements
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}
  #connection: DatabaseConnection | undefined
  #isInTransaction = false

  constructor(pglite: PGlite, held: HeldConnection) {
    super({ pglite })
    this.#held = held
    this.#statements = new NamedStatements(pglite)
  }

  /**
   * A caller that aborts while it waits keeps its place; Kysely releases the connection as soon as it is
   * acquired.
   */
  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#held.assertFree()
    const previous = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await previous
    this.#release = resolve
    // A statement blocks the event loop: requests to the node that were made in this turn leave first.
    await untilNextTurn()
    await untilNextTurn()
    this.#connection ??= this.#withNames(await super.acquireConnection())
    return this.#connection
  }

  #withNames(connection: DatabaseConnection): DatabaseConnection {
    // bind loses the type parameter
    const execute = connection.executeQuery.bind(connection) as DatabaseConnection['executeQuery']
    connection.executeQuery = async <R>(query: CompiledQuery, options?: AbortableOperationOptions) => {
      const result = await this.#statements.run(query.sql, query.parameters, this.#isInTransaction)
      if (!result) return await execute<R>(query, options)
      const { rows, affectedRows } = result
      return {
        rows: rows as R[], // as Kysely's own driver types them
        ...(affectedRows !== undefined && { numAffectedRows: BigInt(affectedRows) }),
      }
    }
    return connection
  }

  override async beginTransaction(connection: OwnConnection): Promise<void> {
    await super.beginTransaction(connection)
    this.#isInTransaction = true
  }

  override async commitTransaction(connection: OwnConnection): Promise<void> {
    this.#isInTransaction = false
    await super.commitTransaction(connection)
  }

  override async rollbackTransaction(connection: OwnConnection): Promise<void> {
    this.#isInTransaction = false
    await super.rollbackTransaction(connection)
  }

  override async releaseConnection(): Promise<void> {
    this.#release()
  }
}

interface OpenPGliteOptions {
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
}: OpenPGliteOptions): Promise<OpenDatabase & { readonly pglite: PGlite }> {
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
    const db = new GuardedKysely(tracedDialect(dialect, pglite), held)
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
