import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type AuditEntry, toEntry } from './entry.ts'

export interface AuditQuery {
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

/** Number of entries that are read together. */
const pageSize = 500

/** Every entry from a position on, oldest first. */
export async function* readAuditLog(database: Kysely<Database>, from = 1): AsyncGenerator<AuditEntry> {
  for (let next = from; ; ) {
    const rows = await database
      .selectFrom('audit_log')
      .selectAll()
      .where('position', '>=', next)
      .orderBy('position')
      .limit(pageSize)
      .execute()
    for (const row of rows) yield toEntry(row)
    const last = rows.at(-1)
    if (!last) return
    next = last.position + 1
  }
}
