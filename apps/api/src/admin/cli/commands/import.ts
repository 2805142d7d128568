import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { usernameKey, usernameSkeleton } from '@lanyard/contracts'
import { type ImportedAccount, type ImportRow, type ImportVerdict, listImports } from '@lanyard/database'
import type { Command } from 'commander'
import { getAddress } from 'viem'
import { importBatch, reservationDays, withdrawBatch } from '../../../acts/imports.ts'
import {
  type ImportColumn,
  type ImportFields,
  type Rejection,
  readCsvLine,
  readHeader,
  readJsonLine,
  toImportRow,
} from '../../../domain/accounts/imports/parse-import-line.ts'
import { type Line, readLines } from '../../../domain/accounts/imports/read-lines.ts'
import { counted } from '../../../platform/counted.ts'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { runCliAct } from '../cli-audit.ts'
import { CliError } from '../cli-error.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { withJson } from '../options.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

/** `lanyard import accounts|list`. */
export function addImport(group: Command): void {
  const accounts = withJson(
    group
      .command('accounts')
      .description('reserve names for the EOAs of a file, until they sign')
      .argument('<file>', 'CSV with a first line of column names, or NDJSON'),
  )
    .option('--dry-run', 'say what would happen, and write nothing but the report')
    .option('--withdraw', 'take the reservations of these owners back; who has signed keeps the name')
    .option(
      '--report <file>',
      'rejected lines, as NDJSON (default: the name of the file and .rejected.ndjson)',
    )
  withManual(accounts, {
    about: `
Columns: owner (the address of an EOA), kind (safe or eip7702), and if you want external_id and username. docs/guides/import-accounts.md
describes them. A name is reserved for ${reservationDays} days. It becomes the name of the EOA's account of that kind when the EOA signs in or signs
its first operation. Until then the name leads to no address, and no other user can take it. The import creates no account.
external_id is your own id of the user. Only the console, \`export\` and \`import list\` show it.
A line that is rejected does not hold back the others. The report has its number, the reason and its fields: correct them
there, and import the report. The same file again changes nothing, and prolongs nothing.`,
    environment: {
      ...ofPreparedDatabase,
      RESERVED_USERNAMES: "names that no new user may take: the same as the service's",
    },
    endings: { unfinished: 'some lines were rejected; all others are imported' },
    examples: ['import accounts users.csv --dry-run', 'import accounts users.csv'],
  }).action((file: string, options: ImportOptions) => runImport(file, options))
  withManual(withJson(group.command('list').description('list imported EOAs, and who of them has come')), {
    environment: ofPreparedDatabase,
    examples: ['import list --json'],
  }).action(({ json }: { readonly json?: boolean }) => list(json))
}

interface ImportOptions {
  readonly dryRun?: boolean
  readonly withdraw?: boolean
  readonly report?: string
  readonly json?: boolean
}

/** Rows of one transaction. */
const batchSize = 500

/** Bytes: a line with the longest name and external id has less than a tenth. */
const maxLineLength = 16_384

/** Lines of one file. Those before are remembered, so that a line that repeats one is found. */
const maxLines = 500_000

/** Lines between two lines of progress. */
const progressEvery = 1_000

/** A line that may be imported. */
interface Candidate {
  readonly number: number
  readonly row: ImportRow
}

/** A line that is not. */
interface RejectedLine extends Rejection {
  readonly line: number
  readonly fields?: ImportFields
  /** The beginning of a line that has no fields. */
  readonly text?: string
}

const rejections: Readonly<Partial<Record<ImportVerdict, Rejection>>> = {
  'name-taken': {
    code: 'USERNAME_TAKEN',
    message: 'Another user has this name, or it is reserved for another EOA.',
  },
  'looks-taken': { code: 'USERNAME_TAKEN', message: 'A name that looks the same is taken or reserved.' },
  'external-id-taken': {
    code: 'EXTERNAL_ID_TAKEN',
    message: 'Another EOA was imported with this external_id.',
  },
  claimed: {
    code: 'ALREADY_CLAIMED',
    message: 'This EOA has signed already, so its kind and its name stay. Only external_id can change.',
  },
  'not-an-eoa': { code: 'INVALID_OWNER', message: 'owner: this is a smart account here, which has no key.' },
}

/** Finds lines that say something about what an earlier line of the file has. */
function createRepeats() {
  const earlier = new Map<string, number>()
  return (number: number, { owner, externalId, username }: ImportRow): Rejection | undefined => {
    const keys = [
      ['DUPLICATE_OWNER', `owner ${owner}`],
      ...(externalId === undefined ? [] : [['DUPLICATE_EXTERNAL_ID', `id ${externalId}`]]),
      ...(username === undefined
        ? []
        : [
            ['DUPLICATE_USERNAME', `key ${usernameKey(username)}`],
            ['DUPLICATE_USERNAME', `look ${usernameSkeleton(username)}`],
          ]),
    ] as const
    for (const [code = '', key = ''] of keys) {
      const first = earlier.get(key)
      if (first === undefined) continue
      const what = { DUPLICATE_OWNER: 'owner', DUPLICATE_EXTERNAL_ID: 'external_id' }[code]
      const message = what
        ? `Line ${first} has the same ${what}.`
        : `Line ${first} has this username, or one that looks the same.`
      return { code, message }
    }
    for (const [, key = ''] of keys) earlier.set(key, number)
    return undefined
  }
}

const unreadable: Readonly<Record<NonNullable<Line['problem']>, Rejection>> = {
  'too-long': { code: 'INVALID_LINE', message: `The line is longer than ${maxLineLength} bytes.` },
  'not-utf8': { code: 'INVALID_LINE', message: 'The line is not UTF-8.' },
}

const isRejection = (value: object): value is Rejection => 'code' in value && 'message' in value

/**
 * Reads the lines of a file, as CSV or as NDJSON.
 *
 * @throws CliError for a CSV file whose first line does not name the columns
 */
async function* parseLines(
  lines: AsyncIterable<Line>,
  reservedNames: readonly string[],
): AsyncGenerator<Candidate | RejectedLine> {
  let header: readonly ImportColumn[] | undefined
  let isFirst = true
  for await (const { number, text, problem } of lines) {
    if (number > maxLines) {
      const message = `The file has more than ${maxLines} lines. The lines before were read: import the others as a file of their own.`
      throw new CliError('TOO_MANY_LINES', message)
    }
    if (text?.trim() === '') continue
    if (isFirst && !text?.trimStart().startsWith('{')) {
      const read = readHeader(text ?? '')
      if (typeof read === 'string') {
        const utf8 = problem === 'not-utf8' ? ' The file is not UTF-8.' : ''
        throw new CliError('INVALID_FILE', `${read}${utf8} Or send NDJSON: one JSON object on each line.`)
      }
      header = read
      isFirst = false
      continue
    }
    isFirst = false
    if (problem !== undefined) {
      yield { line: number, ...unreadable[problem] }
      continue
    }
    const fields = header ? readCsvLine(text, header) : readJsonLine(text)
    if (isRejection(fields)) {
      yield { line: number, ...fields, text: text.slice(0, 200) }
      continue
    }
    const row = toImportRow(fields, reservedNames)
    yield isRejection(row) ? { line: number, ...row, fields } : { number, row }
  }
}

/** The file of rejected lines, which is not there while no line was rejected. */
function createReport(path: string) {
  let file: FileHandle | undefined
  return {
    async write({ line, code, message, fields, text }: RejectedLine): Promise<void> {
      // It has names of users.
      file ??= await open(path, 'w', 0o600)
      await file.write(
        `${JSON.stringify({ line, code, message, ...fields, ...(text !== undefined && { text }) })}\n`,
      )
    },
    async close(): Promise<void> {
      await file?.close()
    },
  }
}

const toFields = ({ owner, kind, externalId, username }: ImportRow): ImportFields => ({
  ...{ owner: getAddress(owner), kind },
  ...(externalId !== undefined && { external_id: externalId }),
  ...(username !== undefined && { username }),
})

/** @throws CliError */
async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch((error: unknown) => error as NodeJS.ErrnoException)
  if ('isFile' in found && found.isFile()) return
  const why = 'isFile' in found ? 'it is not a file' : found.code
  throw new CliError('UNREADABLE_FILE', `${file} cannot be read: ${why}.`)
}

async function runImport(
  file: string,
  { dryRun = false, withdraw = false, json, report: reportPath = `${file}.rejected.ndjson` }: ImportOptions,
): Promise<void> {
  const reservedNames = readCliEnv(terminal().env).RESERVED_USERNAMES
  await using database = await openCliDatabase()
  await requireFile(file)
  if (resolve(reportPath) === resolve(file))
    throw new CliError('INVALID_REPORT', 'The report would replace the file that is imported.')
  const output = createOutput({ json })
  // That of an earlier run would be taken for this one's.
  await rm(reportPath, { force: true })
  const report = createReport(reportPath)
  const total = { lines: 0, added: 0, updated: 0, unchanged: 0, withdrawn: 0, rejected: 0 }
  const reject = async (rejected: RejectedLine) => {
    total.rejected += 1
    await report.write(rejected)
  }
  const findRepeat = createRepeats()

  async function runBatch(batch: readonly Candidate[]): Promise<void> {
    const [first] = batch
    if (!first) return
    const lines: [number, number] = [first.number, batch.at(-1)?.number ?? first.number]
    const source = { file: basename(file), lines }
    if (withdraw) {
      const owners = batch.map(({ row }) => row.owner)
      const withdrawn = dryRun ? [] : await runCliAct(database, (act) => withdrawBatch(act, owners, source))
      total.withdrawn += withdrawn.length
      total.unchanged += batch.length - withdrawn.length
      return
    }
    const rows = batch.map(({ row }) => row)
    const verdicts = await runCliAct(database, (act) => importBatch(act, rows, { ...source, dryRun }))
    for (const [index, { number, row }] of batch.entries()) {
      const verdict = verdicts[index] ?? 'unchanged'
      const rejection = rejections[verdict]
      if (rejection) await reject({ line: number, ...rejection, fields: toFields(row) })
      else if (verdict === 'added' || verdict === 'updated') total[verdict] += 1
      else total.unchanged += 1
    }
  }

  try {
    let batch: Candidate[] = []
    const lines = readLines(createReadStream(file), maxLineLength)
    for await (const line of parseLines(lines, reservedNames)) {
      total.lines += 1
      if (isRejection(line)) await reject(line)
      else {
        const repeat = findRepeat(line.number, line.row)
        if (repeat) await reject({ line: line.number, ...repeat, fields: toFields(line.row) })
        else batch.push(line)
      }
      if (batch.length === batchSize) {
        await runBatch(batch)
        batch = []
      }
      if (total.lines % progressEvery === 0) output.progress(describe(total))
    }
    await runBatch(batch)
  } finally {
    await report.close()
  }

  const { rejected } = total
  output.say(`${dryRun ? 'Nothing was written. ' : ''}${describe(total)}.`)
  if (rejected > 0) output.say(`Rejected lines, with the reasons: ${reportPath}`)
  output.finish({ dryRun, ...total, report: rejected > 0 ? reportPath : null })
  if (rejected > 0) throw new CommandEnd(exitCodes.unfinished)
}

const describe = ({ lines, ...counts }: Readonly<Record<string, number>>) =>
  [
    counted(lines ?? 0, 'line'),
    ...Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : [])),
  ].join(', ')

/** Rows in memory at once. */
const pageSize = 1_000

async function list(json: boolean | undefined): Promise<void> {
  await using database = await openCliDatabase()
  const output = createOutput({ json })
  const all: unknown[] = []
  let count = 0
  for (let after = '', isLast = false; !isLast; ) {
    const page = await listImports(database.db, { after, limit: pageSize })
    for (const one of page) {
      output.say(describeImport(one))
      if (json)
        all.push({ ...one, owner: getAddress(one.owner), account: one.account && getAddress(one.account) })
    }
    count += page.length
    after = page.at(-1)?.owner ?? ''
    isLast = page.length < pageSize
  }
  if (count === 0) output.say('Nothing is imported.')
  output.finish({ imported: all })
}

const describeImport = ({ owner, kind, externalId, username, expiresAt, claimedAt }: ImportedAccount) =>
  [
    ...[getAddress(owner), kind, externalId ?? '-', username ?? '-'],
    claimedAt ? `came ${claimedAt.toISOString()}` : `reserved until ${expiresAt.toISOString()}`,
  ].join('  ')
