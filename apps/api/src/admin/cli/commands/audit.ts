import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import type { AuditEntry } from '../../../platform/audit/entry.ts'
import {
  findProblem,
  listAuditLog,
  readAuditLog,
  verifyAuditLog,
} from '../../../platform/audit/read-audit-log.ts'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { CliError } from '../cli-error.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { withJson } from '../options.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

/** `lanyard audit list|export|verify`. */
export function addAudit(audit: Command): void {
  const list = withJson(audit.command('list').description('list the last acts, newest first'))
    .option('--act <beginning>', 'only acts that begin like this: key.')
    .option('--actor <name>', 'only acts of this actor: cli:alice')
    .option('--before <position>', 'only older acts than this one', parsePosition)
    .option('--limit <count>', 'how many', parsePosition, 25)
  withManual(list, { environment: ofPreparedDatabase, examples: ['audit list --act key.'] }).action(
    (...given: Parameters<typeof listActs>) => listActs(...given),
  )

  const exported = audit
    .command('export')
    .description('write every act to stdout, one line of JSON each, oldest first')
    .option('--from <position>', 'the first one', parsePosition, 1)
  withManual(exported, {
    about:
      'Keep the lines where nobody who can write to the database can write: `audit verify --against` compares with them.',
    environment: ofPreparedDatabase,
    examples: ['audit export > audit.ndjson', 'audit export --from 1201 >> audit.ndjson'],
  }).action((...given: Parameters<typeof exportActs>) => exportActs(...given))

  const verify = withJson(
    audit.command('verify').description('check that no act was changed, removed or inserted'),
  ).option('--against <file>', 'an earlier export, which must still be part of the log')
  withManual(verify, {
    about: `
Each act has the hash of the act before. Whoever can write to the database can write a whole new chain, which holds in
itself: only a comparison with an earlier export shows that.`,
    environment: ofPreparedDatabase,
    endings: { failed: 'the log or the export does not hold; the message names the first position' },
    examples: ['audit verify --against audit.ndjson'],
  }).action((...given: Parameters<typeof verifyActs>) => verifyActs(...given))
}

function parsePosition(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number from 1.')
}

interface ListOptions {
  readonly act?: string
  readonly actor?: string
  readonly before?: number
  readonly limit: number
  readonly json?: boolean
}

async function listActs({ json, ...query }: ListOptions): Promise<void> {
  await using database = await openCliDatabase()
  const entries = await listAuditLog(database.db, query)
  const output = createOutput({ json })
  for (const entry of entries) {
    output.say([entry.position, entry.at, entry.actor, entry.source, entry.act, entry.subject].join('  '))
    for (const line of changesOf(entry)) output.say(`  ${line}`)
  }
  if (entries.length === 0) output.say('There is no such act.')
  output.finish({ entries })
}

/** The members that differ, one on each line. */
function changesOf({ before, after }: AuditEntry): string[] {
  const [old, young] = [membersOf(before), membersOf(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(young)])].sort().flatMap((name) => {
    const [was, is] = [old[name], young[name]].map((value) => JSON.stringify(value))
    if (was === is) return []
    return [was === undefined ? `${name}: ${is}` : `${name}: ${was} → ${is ?? 'nothing'}`]
  })
}

const membersOf = (state: unknown): Readonly<Record<string, unknown>> =>
  state === null ? {} : typeof state === 'object' ? { ...state } : { state }

async function exportActs({ from }: { readonly from: number }): Promise<void> {
  await using database = await openCliDatabase()
  const { stdout } = terminal()
  for await (const entry of readAuditLog(database.db, from)) stdout(`${JSON.stringify(entry)}\n`)
}

const keptLine = z.object({
  ...{ position: z.int(), at: z.string(), actor: z.string(), source: z.string(), act: z.string() },
  ...{ subject: z.string(), before: z.json(), after: z.json(), previousHash: z.string(), hash: z.string() },
  identity: z.json().optional(),
})

/**
 * The hashes of an export, by position. Each line is checked like an entry of the log, so that a line that was changed in
 * the file vouches for nothing. Half a line, as a full disk leaves it in AUDIT_FILE, is fine if the whole line comes later.
 */
async function readKept(file: string): Promise<ReadonlyMap<number, string>> {
  const kept = new Map<number, string>()
  let halves: { readonly line: string; readonly number: number }[] = []
  let number = 0
  try {
    for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
      number++
      if (line === '') continue
      const json = parseJson(line)
      if (json === undefined) {
        halves.push({ line: line.replace(/\ufffd+$/, ''), number }) // perhaps half a character, too
        continue
      }
      halves = halves.filter((half) => !line.startsWith(half.line))
      const entry = keptLine.parse(json)
      const { position, hash } = entry
      const problem =
        kept.has(position) && kept.get(position) !== hash
          ? 'the file has another act at this position'
          : findProblem(entry, kept.get(position - 1))
      if (problem !== undefined) throw brokenExport(position, number, problem)
      kept.set(position, hash)
    }
    const [half] = halves
    if (half) {
      number = half.number
      throw new SyntaxError('half a line')
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    throw new ConfigurationError(file, [
      code === undefined
        ? `line ${number} is not a line of \`lanyard audit export\``
        : `it cannot be read (${code})`,
    ])
  }
  return kept
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const brokenExport = (position: number, line: number, problem: string) =>
  new CliError('AUDIT_BROKEN', `The export does not hold at ${position} (line ${line}): ${problem}.`)

interface VerifyOptions {
  readonly against?: string
  readonly json?: boolean
}

async function verifyActs({ against, json }: VerifyOptions): Promise<void> {
  await using database = await openCliDatabase()
  const kept = against === undefined ? undefined : await readKept(against)
  const verdict = await verifyAuditLog(database.db, kept)
  if (!verdict.holds)
    throw new CliError(
      'AUDIT_BROKEN',
      `The audit log does not hold at ${verdict.position}: ${verdict.problem}.`,
    )
  const output = createOutput({ json })
  output.say(
    kept
      ? `${verdict.entries} acts hold, and ${kept.size} of them are as exported. The last hash is ${verdict.hash}.`
      : `${verdict.entries} acts hold. The last hash is ${verdict.hash}.`,
  )
  output.finish({ ...verdict, compared: kept?.size ?? 0 })
}
