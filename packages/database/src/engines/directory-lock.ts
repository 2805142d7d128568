import process from 'node:process'
import type { DatabaseSync } from 'node:sqlite'
import { LanyardError } from '@lanyard/contracts'

/** SQLite's "database is locked" (https://sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5

export interface DirectoryLock {
  release(): void
}

/**
 * Takes `<directory>.lock`, so that no two processes (nor one process twice) open a directory: PGlite itself
 * allows that and loses rows.
 *
 * The lock is an open SQLite transaction on that file. The operating system holds it, so it ends with the process,
 * however the process ends. A file with a process id would need interpretation instead (dead? reused? from another
 * container?), and proper-lockfile judges by age: after a kill it refuses for ten seconds. The file
 * contains the holder's process id, which others may read.
 *
 * @throws LanyardError DATABASE_UNAVAILABLE naming the process that holds it, or saying that this Node has no SQLite
 */
export function lockDirectory(directory: string): DirectoryLock {
  // Only a folder needs it: with PostgreSQL, or in memory, the service runs on Node 20 as well.
  const sqlite = process.getBuiltinModule('node:sqlite')
  if (!sqlite)
    throw new LanyardError('DATABASE_UNAVAILABLE', {
      message: `DATA_DIR needs Node.js 22.13 or later; this is ${process.version}. Use a later one, or PostgreSQL (DATABASE_URL).`,
    })
  const file = new sqlite.DatabaseSync(`${directory}.lock`, { timeout: 0 })
  try {
    file.exec('create table if not exists holder (pid integer not null)')
    file.exec('begin immediate; delete from holder')
    file.prepare('insert into holder values (?)').run(process.pid)
    // Other processes see the id once it is committed; the lock itself is the transaction after that.
    file.exec('commit; begin immediate')
  } catch (error) {
    const holder = isBusy(error) ? readHolder(file) : undefined
    file.close()
    if (!isBusy(error)) throw error
    throw new LanyardError('DATABASE_UNAVAILABLE', {
      message: `The data directory ${directory} is in use by process ${holder ?? 'unknown'}. Stop that process, or use another DATA_DIR.`,
      cause: error,
    })
  }
  return { release: () => file.isOpen && file.close() }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

function readHolder(file: DatabaseSync): unknown {
  try {
    return file.prepare('select pid from holder').get()?.pid
  } catch {
    return undefined // The holder is just writing it.
  }
}
