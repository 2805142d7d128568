import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { LanyardError } from '@lanyard/contracts'

type Stream = PGlite['execProtocolStream']

/**
 * PGlite that is not asked any more after PostgreSQL has given up (severity PANIC: it could not write its log, because the
 * disk is full). A server would end its process there, and read the log when it is started again; inside this process
 * whatever is asked next does not come back, and nothing else runs either.
 */
export class FatalErrorPGlite extends PGlite {
  readonly #onDeath: (cause: Error) => void
  /** What it gave up on. */
  #cause: Error | undefined

  constructor(options: PGliteOptions, onDeath: (cause: Error) => void) {
    super(options)
    this.#onDeath = onDeath
  }

  get isDead(): boolean {
    return this.#cause !== undefined
  }

  /** Everything that is asked goes through this, and through no other that waits for an answer. */
  override async execProtocolStream(...[message, options]: Parameters<Stream>): ReturnType<Stream> {
    if (this.#cause) throw hasGivenUp(this.#cause)
    try {
      return await super.execProtocolStream(message, options)
    } catch (error) {
      if (!isPanic(error)) throw error
      this.#cause = error
      this.#onDeath(error)
      throw hasGivenUp(error)
    }
  }
}

/** A new one each time, with the stack of who asked. */
const hasGivenUp = (cause: Error) =>
  new LanyardError('DATABASE_UNAVAILABLE', {
    message:
      'The database could not write to its disk, and the service ends. What it has answered before is kept.',
    cause,
  })

/**
 * Of several errors of one statement PGlite tells the last: after a log record that could not be written, that is the
 * rollback's, which finds the record begun.
 */
const isPanic = (error: unknown): error is Error =>
  error instanceof Error &&
  (('severity' in error && error.severity === 'PANIC') ||
    ('routine' in error && error.routine === 'XLogBeginInsert'))
