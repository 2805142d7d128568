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

/** Milliseconds for which a reader that reads nothing keeps an export. */
const defaultMaxStall = 30_000

const query = auditFilter.extend({ format: z.enum(['csv', 'ndjson']) })

interface AuditExport extends Pick<Services, 'database' | 'log' | 'closing'> {
  /** Default: 30,000 ms. */
  readonly maxStall?: number
}

/** The operator of the session of a request, if it counts now. */
type FindOperator = () => Promise<SignedInOperator | undefined>

/**
 * Sends the acts that match, oldest first, while it reads them: a million of them take the memory of one page. Lines of JSON are
 * those of `lanyard audit export`, so `audit verify --against` reads them. An operator has one export of a process at a time, so
 * none waits for another's.
 */
export function createAuditExport({ database, log, closing, maxStall = defaultMaxStall }: AuditExport) {
  const running = new Set<string>()
  return async (request: Request, response: Response, findOperator: FindOperator): Promise<void> => {
    const { id } = await findReader(findOperator)
    const given = Object.fromEntries(new URL(request.url, 'http://console').searchParams)
    const parsed = query.safeParse(given)
    if (!parsed.success) throw toConsoleError(new Error('audit export', { cause: parsed.error }))
    if (running.has(id)) {
      throw new LanyardError('RATE_LIMITED', {
        message: 'Another export of yours runs. Wait until it ends, or cancel it.',
      })
    }
    const { format, ...filter } = parsed.data
    const isCsv = format === 'csv'
    running.add(id)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const signal = AbortSignal.any([gone.signal, closing])
    const send = async (text: string) => {
      if (response.write(text)) return
      const stall = setTimeout(() => gone.abort(), maxStall)
      await once(response, 'drain', { signal }).finally(() => clearTimeout(stall))
    }
    try {
      response.writeHead(200, {
        'Content-Type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
        'Content-Disposition': `attachment; filename="audit-log.${format}"`,
        'X-Content-Type-Options': 'nosniff',
      })
      if (isCsv) await send(csvLine(columns))
      for await (const page of searchAuditLog(database, filter)) {
        await findReader(findOperator)
        for (const entry of page) {
          signal.throwIfAborted()
          await send(
            isCsv ? csvLine(columns.map((column) => cellOf(entry[column]))) : `${JSON.stringify(entry)}\n`,
          )
        }
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'an export of the audit log failed')
      // What was sent has no end that says that it is whole.
      response.destroy()
    } finally {
      running.delete(id)
      response.end()
    }
  }
}

/** @throws UNAUTHORIZED, FORBIDDEN */
async function findReader(findOperator: FindOperator): Promise<SignedInOperator> {
  const operator = await findOperator()
  if (!operator) throw new LanyardError('UNAUTHORIZED', { message: 'Your session has ended. Sign in again.' })
  assertAdmitted(operator.role, 'audit.list', undefined)
  return operator
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
