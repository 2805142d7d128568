import { z } from 'zod'
import { countAuditLog, listAuditLog } from '../../platform/audit/read-audit-log.ts'
import { operatorProcedure, router } from '../console-trpc.ts'
import { describeEntry } from '../views/describe-entry.ts'
import { wordsOf } from '../views/describe-policy-changes.ts'

const pageSize = 50

/** More are not counted: an export says how many there are. */
const maxCounted = 100_000

/** The last entries, whose actors and acts can be chosen. */
const recent = 5_000

/** PostgreSQL stores no text with this character, so none matches. */
const withoutNul = z.string().refine((text) => !text.includes('\0'), 'It has a character that no text has')

/** What the filters of the audit log may say, also in the address of an export. */
export const auditFilter = z.object({
  /** The beginning of the act: `key.` */
  act: withoutNul.max(100).optional(),
  actor: withoutNul.max(200).optional(),
  text: withoutNul.trim().min(1, 'At least one character').max(200, 'At most 200 characters').optional(),
  from: z.iso
    .datetime()
    .transform((at) => new Date(at))
    .optional(),
  to: z.iso
    .datetime()
    .transform((at) => new Date(at))
    .optional(),
})

export const audit = router({
  /** Entries, newest first, with the members that changed. */
  list: operatorProcedure
    .input(auditFilter.extend({ before: z.int().positive().optional() }))
    .query(async ({ ctx: { database, services }, input }) => {
      const words = wordsOf(services.networks)
      const entries = await listAuditLog(database, { ...input, limit: pageSize + 1 })
      return {
        entries: entries.slice(0, pageSize).map((entry) => describeEntry(entry, words)),
        before: entries.length > pageSize ? (entries[pageSize - 1]?.position ?? null) : null,
      }
    }),
  /** How many match, and whether there are more than are counted. */
  count: operatorProcedure.input(auditFilter).query(async ({ ctx: { database }, input }) => {
    const count = await countAuditLog(database, input, maxCounted + 1)
    return { count: Math.min(count, maxCounted), isMore: count > maxCounted }
  }),
  /** Who acted lately, and how. */
  choices: operatorProcedure.query(async ({ ctx: { database } }) => {
    const rows = await database
      .selectFrom(
        database
          .selectFrom('audit_log')
          .select(['actor', 'act'])
          .orderBy('position', 'desc')
          .limit(recent)
          .as('latest'),
      )
      .select(['actor', 'act'])
      .distinct()
      .execute()
    const sorted = (values: readonly string[]) => [...new Set(values)].sort()
    return { actors: sorted(rows.map(({ actor }) => actor)), acts: sorted(rows.map(({ act }) => act)) }
  }),
})
