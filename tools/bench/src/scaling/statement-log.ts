import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '@lanyard/database'

/** Makes a temporary server log every statement from now on, including those of open connections. */
export async function logStatements(databaseUrl: string): Promise<void> {
  await using database = await openDatabase({ url: databaseUrl, maxConnections: 1 })
  await database.pool?.query(`alter system set log_statement = 'all'`)
  await database.pool?.query('select pg_reload_conf()')
}

/** Returns the statements that a temporary server has logged since the last call. */
export function createStatementLog(databaseUrl: string): () => Promise<readonly string[]> {
  // The server's folder contains both its socket and its log.
  const path = join(new URL(databaseUrl).searchParams.get('host') ?? '', 'log')
  let read = 0
  return async () => {
    await using file = await open(path)
    const { size } = await file.stat()
    const bytes = Buffer.alloc(size - read)
    await file.read(bytes, 0, bytes.length, read)
    // An incomplete line belongs to the next call.
    const whole = bytes.lastIndexOf('\n') + 1
    read += whole
    return statementsOf(bytes.subarray(0, whole).toString('utf8'))
  }
}

/** An entry begins with its time; further lines of a statement do not. */
const statementsOf = (log: string): readonly string[] =>
  log
    .split(/\n(?=\d{4}-\d{2}-\d{2} )/)
    .flatMap((entry) => /LOG: {2}(?:statement|execute [^:]+): ([\s\S]*)/.exec(entry)?.[1] ?? [])
