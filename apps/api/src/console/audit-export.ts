import { once } from 'node:events'
import { LanyardError, toCsvText } from '@lanyard/contracts'
import type { Request, Response } from 'express'
import { z } from 'zod'
import type { SignedInOperator } from '../domain/operators/operator-sessions.ts'
import type { Services } from '../pipeline/services.ts'
import type { AuditEntry } from '../platform/audit/entry.ts'
import { searchAuditLog } from '../platform/audit/read-audit-log.ts'
import { assertAdmitted, toConsoleError } from './console-trpc.ts'
import { auditFilter } from './procedures/audit.ts'

export const auditExportPath = '/audit/export'

/** Exports of this process at a time: each reads the whole log. */
const maxExports = 4

const query = auditFilter.extend({ format: z.enum(['csv', 'ndjson']) })

/**
 * Sends the acts that match, oldest first, while it reads them: a million of them take the memory of one page. Lines of JSON are
 * those of `lanyard audit export`, so `audit verify --against` reads them.
 */
export function createAuditExport({
  database,
  log,
  closing,
}: Pick<Services, 'database' | 'log' | 'closing'>) {
  let running = 0
  return async (request: Request, response: Response, operator: SignedInOperator): Promise<void> => {
    assertAdmitted(operator.role, 'audit.list', undefined)
    const given = Object.fromEntries(new URL(request.url, 'http://console').searchParams)
    const parsed = query.safeParse(given)
    if (!parsed.success) throw toConsoleError(new Error('audit export', { cause: parsed.error }))
    if (running >= maxExports) {
      throw new LanyardError('RATE_LIMITED', { message: 'Other exports run. Try again in a minute.' })
    }
    const { format, ...filter } = parsed.data
    const isCsv = format === 'csv'
    running++
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const signal = AbortSignal.any([gone.signal, closing])
    try {
      response.writeHead(200, {
        'Content-Type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
        'Content-Disposition': `attachment; filename="audit-log.${format}"`,
        'X-Content-Type-Options': 'nosniff',
      })
      if (isCsv) response.write(csvLine(columns))
      for await (const entry of searchAuditLog(database, filter)) {
        if (signal.aborted) break
        const line = isCsv
          ? csvLine(columns.map((column) => cellOf(entry[column])))
          : `${JSON.stringify(entry)}\n`
        if (!response.write(line)) await once(response, 'drain', { signal })
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'an export of the audit log failed')
      // What was sent has no end that says that it is whole.
      response.destroy()
    } finally {
      running--
      response.end()
    }
  }
}

const columns = [
  'position',
  'at',
  'actor',
  'source',
  'act',
  'subject',
  'before',
  'after',
  'identity',
  'hash',
] as const

const cellOf = (value: AuditEntry[keyof AuditEntry]): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

const csvLine = (cells: readonly string[]): string => `${cells.map(toCsvText).join(',')}\r\n`
