import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type AuditEntry, hashEntry, noHash, toEntry } from './entry.ts'

/** What entries are looked for; absent members match all. */
export interface AuditFilter {
  /** The first characters of the act: `key.` */
  readonly act?: string | undefined
  readonly actor?: string | undefined
  /** A part of the actor, of what was acted on, or of where it came from. */
  readonly text?: string | undefined
  /** Not before, and before. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

interface AuditQuery extends AuditFilter {
  /** Only entries before this position. Default: from the newest on. */
  readonly before?: number | undefined
  readonly limit: number
}

function filtered(database: Kysely<Database>, { act, actor, text, from, to }: AuditFilter) {
  let query = database.selectFrom('audit_log')
  if (act !== undefined) query = query.where((eb) => eb.fn('starts_with', ['act', eb.val(act)]))
  if (actor !== undefined) query = query.where('actor', '=', actor)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<', to)
  if (text === undefined) return query
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return query.where(({ or, eb }) =>
    or([eb('actor', 'ilike', pattern), eb('subject', 'ilike', pattern), eb('source', 'ilike', pattern)]),
  )
}

/** Entries, newest first. */
export async function listAuditLog(
  database: Kysely<Database>,
  { before, limit, ...filter }: AuditQuery,
): Promise<AuditEntry[]> {
  let query = filtered(database, filter).selectAll().orderBy('position', 'desc').limit(limit)
  if (before !== undefined) query = query.where('position', '<', before)
  return (await query.execute()).map(toEntry)
}

/** How many entries match, up to a limit. */
export async function countAuditLog(
  database: Kysely<Database>,
  filter: AuditFilter,
  limit: number,
): Promise<number> {
  const { count } = await database
    .selectFrom(filtered(database, filter).select('position').limit(limit).as('found'))
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Pages of entries that match, oldest first: any number of them takes the memory of one page. */
export async function* searchAuditLog(
  database: Kysely<Database>,
  filter: AuditFilter,
): AsyncGenerator<readonly AuditEntry[]> {
  for (let after = 0; ; ) {
    const rows = await filtered(database, filter)
      .selectAll()
      .where('position', '>', after)
      .orderBy('position')
      .limit(pageSize)
      .execute()
    yield rows.map(toEntry)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.position
  }
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
