import { z } from 'zod'
import { listAuditLog } from '../../platform/audit/read-audit-log.ts'
import { operatorProcedure, router } from '../console-trpc.ts'

const pageSize = 50

export const audit = router({
  /** Entries, newest first. */
  list: operatorProcedure
    .input(
      z.object({
        /** The beginning of the act: `key.` */
        act: z.string().max(100).optional(),
        actor: z.string().max(200).optional(),
        before: z.int().positive().optional(),
      }),
    )
    .query(async ({ ctx: { database }, input }) => {
      const entries = await listAuditLog(database, { ...input, limit: pageSize + 1 })
      return {
        entries: entries.slice(0, pageSize),
        before: entries.length > pageSize ? (entries[pageSize - 1]?.position ?? null) : null,
      }
    }),
})
