import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** Statements that a server has logged. */
export interface Statements {
  /** Of the service itself, transaction brackets included. */
  readonly own: number
  /** Of its job queue. */
  readonly queue: number
}

/** Counts what a temporary server logs under `log_statement = 'all'`, from one look to the next. */
export function createStatementLog(databaseUrl: string): () => Promise<Statements> {
  // The server's socket is in its folder, and so is its log.
  const path = join(new URL(databaseUrl).searchParams.get('host') ?? '', 'log')
  let read = 0
  return async () => {
    await using file = await open(path)
    const { size } = await file.stat()
    const bytes = Buffer.alloc(size - read)
    await file.read(bytes, 0, bytes.length, read)
    // What is being written now belongs to the next look.
    const whole = bytes.lastIndexOf('\n') + 1
    read += whole
    return count(bytes.subarray(0, whole).toString('utf8'))
  }
}

/** An entry begins with its time; a statement of several lines goes on without one. */
function count(log: string): Statements {
  const entries = log.split(/\n(?=\d{4}-\d{2}-\d{2} )/)
  const statements = entries.filter((entry) => /LOG: {2}(?:statement|execute [^:]+): /.test(entry))
  const queue = statements.filter((entry) => entry.includes('pgboss')).length
  return { own: statements.length - queue, queue }
}
