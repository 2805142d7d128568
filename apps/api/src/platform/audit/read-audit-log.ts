import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type AuditEntry, hashEntry, noHash, toEntry } from './entry.ts'

interface AuditQuery {
  /** The first characters of the act: `key.` */
  readonly act?: string | undefined
  readonly actor?: string | undefined
  /** Only entries before this position. Default: from the newest on. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Entries, newest first. */
export async function listAuditLog(
  database: Kysely<Database>,
  { act, actor, before, limit }: AuditQuery,
): Promise<AuditEntry[]> {
  let query = database.selectFrom('audit_log').selectAll().orderBy('position', 'desc').limit(limit)
  if (act !== undefined) query = query.where((eb) => eb.fn('starts_with', ['act', eb.val(act)]))
  if (actor !== undefined) query = query.where('actor', '=', actor)
  if (before !== undefined) query = query.where('position', '<', before)
  return (await query.execute()).map(toEntry)
}

/** The next entries from a position on, oldest first. */
export async function listFrom(
  database: Kysely<Database>,
  from: number,
  limit: number,
): Promise<AuditEntry[]> {
  const rows = await database
    .selectFrom('audit_log')
    .selectAll()
    .where('position', '>=', from)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

/** Number of entries that are read together. */
const pageSize = 500

/** Every entry from a position on, oldest first. */
export async function* readAuditLog(database: Kysely<Database>, from = 1): AsyncGenerator<AuditEntry> {
  for (let next = from; ; ) {
    const entries = await listFrom(database, next, pageSize)
    yield* entries
    const last = entries.at(-1)
    if (!last) return
    next = last.position + 1
  }
}

/** The end of a chain that holds, or the first entry that does not. */
type AuditVerdict =
  | { readonly holds: true; readonly entries: number; readonly hash: string }
  | { readonly holds: false; readonly position: number; readonly problem: string }

/**
 * Recomputes the chain. Whoever owns the database can rewrite all of it: only an earlier export, kept where
 * they cannot write, shows that.
 *
 * @param kept - hashes by position, from an earlier export
 */
export async function verifyAuditLog(
  database: Kysely<Database>,
  kept: ReadonlyMap<number, string> = new Map(),
): Promise<AuditVerdict> {
  // First the end, because entries may be added meanwhile.
  const head = await database.selectFrom('audit_head').selectAll().executeTakeFirst()
  let last = { position: 0, hash: noHash }
  const broken = (position: number, problem: string): AuditVerdict => ({ holds: false, position, problem })
  for await (const entry of readAuditLog(database)) {
    const expected = last.position + 1
    if (entry.position !== expected) return broken(expected, 'it is missing')
    const problem = findProblem(entry, last.hash)
    if (problem) return broken(entry.position, problem)
    const keptHash = kept.get(entry.position)
    if (keptHash !== undefined && keptHash !== entry.hash)
      return broken(entry.position, 'the export has another entry here')
    last = entry
  }
  const end = Math.max(head?.position ?? 0, ...kept.keys())
  if (end > last.position) return broken(last.position + 1, 'it is missing: the end of the log was removed')
  if (!head) return broken(last.position, 'the end of the chain is not stored any more')
  if (head.position === last.position && head.hash !== last.hash)
    return broken(last.position, 'the stored end of the chain has another hash')
  return { holds: true, entries: last.position, hash: last.hash }
}

/** @param previousHash - of the entry before; undefined if it is not known */
export function findProblem(
  { hash, ...rest }: AuditEntry,
  previousHash: string | undefined,
): string | undefined {
  if (hashEntry(rest) !== hash) return 'its content does not have its hash: it was changed'
  if (previousHash !== undefined && rest.previousHash !== previousHash)
    return 'it does not follow from the entry before'
  return undefined
}
