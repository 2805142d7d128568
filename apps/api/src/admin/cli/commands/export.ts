import { type Database, findAccount, findUserByName } from '@lanyard/database'
import { createNetworks, type Networks } from '@lanyard/networks'
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { isAddress } from 'viem'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { readNetworksFile } from '../../../platform/network-configs.ts'
import { readDerived } from '../../maintenance/user-export/read-derived.ts'
import { readUser } from '../../maintenance/user-export/read-user.ts'
import { leftTables } from '../../maintenance/user-export/tables.ts'
import { userExport } from '../../maintenance/user-export/user-export.ts'
import { CliError } from '../cli-error.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { terminal } from '../terminal.ts'

const about = `
For one user, prints one JSON document. For all users, prints one document per line, and their count in the last line.
A document has everything that another installation needs to continue: the account with the data that its address depends
on, passkeys (public keys), operations and which of them the service pays for, orders. With NETWORKS_FILE it also has
data from the chains: owners, sessions, deposits. It leaves out these tables, which belong to the installation or are
short-lived:`

/** `lanyard export`. */
export function addExport(group: Command): void {
  const command = group
    .option('--user <name>', 'a username, or the address of a smart account or of its EOA')
    .option('--all', 'every user')
    .option('--without-chains', 'leave out data from the chains')
  withManual(command, {
    about,
    terms: leftTables,
    environment: { ...ofPreparedDatabase, NETWORKS_FILE: 'the networks to read; absent: none' },
    examples: ['export --user alice', 'export --all > users.ndjson'],
  }).action((options: ExportOptions) => exportUsers(options))
}

/** As parsed from the command line. */
interface ExportOptions {
  readonly user?: string
  readonly all?: boolean
  readonly withoutChains?: boolean
}

/** Number of users that are looked up together; each one is then read separately. */
const pageSize = 200

/** `lanyard export`. */
async function exportUsers(options: ExportOptions): Promise<void> {
  if ((options.user === undefined) === !options.all)
    throw new ConfigurationError('The command', ['either --user or --all is needed'])
  await using database = await openCliDatabase()
  const { stdout, stderr } = terminal()
  const networks = await openNetworks(options)
  const write = async (userId: string, indent?: number) => {
    const text = await exportUser(database.db, networks, userId, indent)
    if (text !== undefined) stdout(`${text}\n`)
    return text !== undefined
  }
  if (options.user !== undefined) {
    const userId = await findUserId(database.db, options.user)
    if (userId === undefined || !(await write(userId, 2)))
      throw new CliError('UNKNOWN_USER', `There is no user "${options.user}" here.`)
    return
  }
  let users = 0
  for await (const userIds of userPages(database.db)) {
    for (const userId of userIds) if (await write(userId)) users++
    stderr(`  ${users} users\n`)
  }
  // The last line lets a reader tell a complete file from a truncated one.
  stdout(`${JSON.stringify({ format: 'lanyard-end', users })}\n`)
}

async function openNetworks({ withoutChains }: ExportOptions): Promise<Networks | undefined> {
  const { NETWORKS_FILE } = readCliEnv(terminal().env)
  if (withoutChains) return undefined
  if (NETWORKS_FILE !== undefined) return createNetworks(await readNetworksFile(NETWORKS_FILE))
  terminal().stderr('  Without NETWORKS_FILE, data from the chains is left out.\n')
  return undefined
}

async function exportUser(
  database: Kysely<Database>,
  networks: Networks | undefined,
  userId: string,
  indent?: number,
): Promise<string | undefined> {
  const stored = await readUser(database, userId, new Date())
  if (!stored) return undefined
  const derived = networks ? await readDerived(database, networks, stored.account) : null
  // Converted by JSON, since the derived data has members that are undefined.
  const document = { ...stored, derived: JSON.parse(JSON.stringify(derived)) }
  return JSON.stringify(userExport.encode(document), null, indent)
}

async function findUserId(database: Kysely<Database>, name: string): Promise<string | undefined> {
  const user = await findUserByName(database, name)
  if (user) return user.id
  return isAddress(name, { strict: false }) ? (await findAccount(database, name))?.user_id : undefined
}

/** All users by id. A user who registers during the export may be missing. */
async function* userPages(database: Kysely<Database>): AsyncGenerator<readonly string[]> {
  for (let after: string | undefined; ; ) {
    let query = database.selectFrom('users').select('id').orderBy('id').limit(pageSize)
    if (after !== undefined) query = query.where('id', '>', after)
    const rows = await query.execute()
    if (rows.length === 0) return
    yield rows.map(({ id }) => id)
    after = rows.at(-1)?.id
  }
}
