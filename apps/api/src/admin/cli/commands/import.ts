import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { isUniqueViolation } from '@lanyard/database'
import type { Command } from 'commander'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { type ImportResult, importUser } from '../../maintenance/user-export/import-user.ts'
import { readDocuments } from '../../maintenance/user-export/read-documents.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { withJson } from '../options.ts'
import { createOutput } from '../output.ts'

const about = `
Imports each user completely or not at all, and leaves existing data as it is: a second run changes nothing.
Recomputes addresses and hashes. Refuses a document that contradicts itself, or whose username, address, passkey or EOA
belongs to somebody else here. The installation that the user comes from must no longer serve them.`

/** `lanyard import`. */
export function addImport(group: Command): void {
  const command = withJson(group)
    .argument('<file>', 'the exported file; - reads stdin')
    .option('--dry-run', 'show what would be imported, and import nothing')
    .option('--other-rp-id', 'also import passkeys of another domain, which do not work here')
  withManual(command, {
    about,
    environment: ofPreparedDatabase,
    endings: {
      failed: 'something was refused, or a file of many users lacks its last line and is incomplete',
    },
    examples: ['import users.ndjson --dry-run', 'import users.ndjson'],
  }).action(async (file: string, options: ImportOptions) => importUsers(file, options))
}

/** As parsed from the command line. */
interface ImportOptions {
  readonly json?: boolean
  readonly dryRun?: boolean
  readonly otherRpId?: boolean
}

/** Number of entries between two lines of progress. */
const progressStep = 200

type Counts = Record<ImportResult['state'], number>

/** `lanyard import`. */
async function importUsers(file: string, options: ImportOptions): Promise<void> {
  const { json, dryRun = false, otherRpId = false } = options
  const output = createOutput({ json })
  const input = await openInput(file)
  await using database = await openCliDatabase()
  const counts: Counts = { imported: 0, present: 0, refused: 0 }
  const results: (Omit<ImportResult, 'added'> | ImportResult)[] = []
  let entries = 0
  let counted: number | undefined
  for await (const entry of readDocuments(input)) {
    if ('users' in entry) {
      counted = entry.users
      continue
    }
    entries++
    const result =
      'problem' in entry
        ? { username: '', address: '', state: 'refused' as const, conflicts: [entry.problem] }
        : await importUser(database.db, entry.document, { dryRun, allowOtherRelyingParty: otherRpId }).catch(
            (error: unknown) => {
              if (!isUniqueViolation(error)) throw error
              const { user, account } = entry.document
              const conflicts = ['somebody else registered a part of it meanwhile: run this again']
              return {
                username: user.username,
                address: account.address,
                state: 'refused' as const,
                conflicts,
              }
            },
          )
    counts[result.state]++
    if (json) results.push(result)
    output.say(describe(entries, result, dryRun))
    if (entries % progressStep === 0) output.progress(`  ${entries} users`)
  }
  const complete = counted === undefined ? entries === 1 : counted === entries
  if (!complete) output.say('The file is incomplete: its last line is missing.')
  output.say(
    `${dryRun ? 'Would have: ' : ''}${counts.imported} imported, ${counts.present} present, ${counts.refused} refused.`,
  )
  output.finish({ dryRun, complete, ...counts, users: results })
  if (counts.refused > 0 || !complete) throw new CommandEnd(exitCodes.failed)
}

async function openInput(file: string): Promise<NodeJS.ReadableStream> {
  if (file === '-') return process.stdin
  await access(file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(file, [`it cannot be read (${error.code})`])
  })
  return createReadStream(file, 'utf8')
}

function describe(
  entry: number,
  result: Omit<ImportResult, 'added'> | ImportResult,
  dryRun: boolean,
): string {
  const { username, address, state, conflicts } = result
  const name = username === '' ? `entry ${entry}` : `${username} ${address}`
  if (state === 'refused') return `refused  ${name}: ${conflicts.join('; ')}`
  if (!('added' in result) || state === 'present') return `present  ${name}`
  const { credentials, operations, orders } = result.added
  const verb = dryRun ? 'would import' : 'imported'
  return `${verb} ${name}: ${credentials} passkeys, ${operations} operations, ${orders} orders`
}
