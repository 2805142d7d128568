import { accountKind, newUsername, toChecksumAddress, usernameRefusal } from '@lanyard/contracts'
import type { ImportRow } from '@lanyard/database'
import { isAddress } from 'viem'
import { z } from 'zod'
import { describeIssue } from '../../../platform/errors/describe-issue.ts'
import { requireUsableAddress } from '../owners/require-key-holder.ts'

/** The columns of a file, and the members of a line of NDJSON. */
const importColumns = ['owner', 'kind', 'external_id', 'username'] as const

export type ImportColumn = (typeof importColumns)[number]

export type ImportFields = Readonly<Partial<Record<ImportColumn, unknown>>>

/** Why a line of a file was rejected. Programs read the code. */
export interface Rejection {
  readonly code: string
  readonly message: string
}

/** The members that a report of rejected lines adds: such a report can be corrected and imported. */
const ofReport = ['line', 'code', 'message']

const reject = (code: string, message: string): Rejection => ({ code, message })

/**
 * The fields of one line of CSV (RFC 4180), which has no line breaks inside of quotes: a quote that is never closed then costs
 * its own line only.
 *
 * @returns undefined if a quote is not closed, or stands where none may
 */
export function splitCsvLine(line: string): readonly string[] | undefined {
  const fields: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y
  for (let isLast = false; !isLast; ) {
    const match = field.exec(line)
    if (!match) return undefined
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    isLast = match[3] === ''
  }
  return fields
}

/**
 * The columns that the first line of a CSV file names, in any order and case.
 *
 * @returns a sentence if it does not name them
 */
export function readHeader(line: string): readonly ImportColumn[] | string {
  const expected = `The first line has to name the columns: ${importColumns.join(',')}.`
  const names = splitCsvLine(line)?.map((name) => name.trim().toLowerCase())
  if (!names) return `${expected} A quote is not closed.`
  const unknown = names.find((name) => !importColumns.some((column) => column === name))
  if (unknown !== undefined) {
    const hint = /[;\t]/.test(unknown) ? ' Fields are separated by commas.' : ''
    return `${expected} It has ${JSON.stringify(unknown.slice(0, 60))}.${hint}`
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return `${expected} It has ${twice} twice.`
  const missing = (['owner', 'kind'] as const).find((column) => !names.includes(column))
  if (missing !== undefined) return `${expected} It has no ${missing}.`
  return names as ImportColumn[] // each was found in importColumns
}

/** The fields of a line of CSV, or why it has none. */
export function readCsvLine(line: string, header: readonly ImportColumn[]): ImportFields | Rejection {
  const fields = splitCsvLine(line)
  if (!fields)
    return reject('INVALID_LINE', 'A quote is not closed, or stands inside of a field without quotes.')
  if (fields.length !== header.length) {
    return reject(
      'INVALID_LINE',
      `The line has ${fields.length} fields, and the first line ${header.length}.`,
    )
  }
  return Object.fromEntries(header.map((column, index) => [column, fields[index]]))
}

/** The members of a line of NDJSON, or why it has none. */
export function readJsonLine(line: string): ImportFields | Rejection {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return reject('INVALID_LINE', 'The line is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return reject('INVALID_LINE', 'The line is not a JSON object.')
  const unknown = Object.keys(value).find(
    (name) => !importColumns.some((column) => column === name) && !ofReport.includes(name),
  )
  if (unknown !== undefined) {
    const message = `Unknown member ${JSON.stringify(unknown.slice(0, 60))}: expected ${importColumns.join(', ')}.`
    return reject('INVALID_LINE', message)
  }
  return Object.fromEntries(importColumns.map((column) => [column, Reflect.get(value, column)]))
}

const maxExternalId = 128

/** What a terminal or a page would not show as it is. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u

const text = z.string('Expected a text')

const externalId = text
  .trim()
  .refine(
    (value) => [...value].length <= maxExternalId,
    `An external id has at most ${maxExternalId} characters`,
  )
  .refine((value) => !invisible.test(value), 'An external id has no control or invisible characters')

const problemOf = ({ issues: [issue] }: z.ZodError) => issue?.message ?? 'It is not valid'

const isAbsent = (value: unknown) => value === undefined || value === null || value === ''

/**
 * The row of a line.
 *
 * @param reservedNames - RESERVED_USERNAMES
 */
export function toImportRow(fields: ImportFields, reservedNames: readonly string[]): ImportRow | Rejection {
  const owner = typeof fields.owner === 'string' ? fields.owner.trim() : fields.owner
  if (typeof owner !== 'string' || !isAddress(owner)) {
    const message =
      'owner: expected 0x and 40 hex digits, with a valid checksum if the case is mixed: the address of an EOA.'
    return reject('INVALID_OWNER', message)
  }
  try {
    requireUsableAddress(toChecksumAddress(owner), 'owner')
  } catch {
    return reject('INVALID_OWNER', 'owner: there is no key for this address.')
  }
  const kind = accountKind.safeParse(typeof fields.kind === 'string' ? fields.kind.trim() : fields.kind)
  if (!kind.success) return reject('INVALID_KIND', `kind: expected ${accountKind.options.join(' or ')}.`)
  const id = isAbsent(fields.external_id)
    ? undefined
    : externalId.safeParse(fields.external_id, { error: describeIssue })
  if (id?.success === false) return reject('INVALID_EXTERNAL_ID', `external_id: ${problemOf(id.error)}.`)
  const name = isAbsent(fields.username)
    ? undefined
    : newUsername.safeParse(fields.username, { error: describeIssue })
  if (name?.success === false) return reject('INVALID_USERNAME', `username: ${problemOf(name.error)}.`)
  const refusal = name && usernameRefusal(name.data, reservedNames)
  if (refusal !== undefined) return reject('USERNAME_REFUSED', `username: ${refusal}`)
  return {
    ...{ owner: owner.toLowerCase(), kind: kind.data },
    ...{ externalId: id?.data || undefined, username: name?.data },
  }
}
