import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { LanyardError } from '@lanyard/contracts'

type Stream = PGlite['execProtocolStream']

/**
 * A PGlite that rejects all calls after PostgreSQL has failed fatally (severity PANIC: it could not write its
 * log, because the disk is full). A server would end its process at that point and recover from the log at
 * the next start. Inside this process, the next call would never return and would block everything else.
 */
export class FatalErrorPGlite extends PGlite {
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
