import { ledgerCsvHeader, toLedgerCsv } from '@lanyard/contracts'
import {
  type Database,
  findAccount,
  listLedgerAccounts,
  readAccountLedgers,
  readLedgerProgress,
  resetLedger,
} from '@lanyard/database'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Kysely } from 'kysely'
import { type Address, getAddress } from 'viem'
import { readLedgerPage } from '../../../domain/ledger/export-ledger.ts'
import { counted } from '../../../platform/counted.ts'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { runCliAct } from '../cli-audit.ts'
import { CliError } from '../cli-error.ts'
import { ofNetworks, ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { openNetworks } from '../open-network.ts'
import { collectAddresses, type NetworkOptions, parseAddress, parseChainId, withNetwork } from '../options.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

/** `lanyard ledger export|reindex`. */
export function addLedger(ledger: Command): void {
  const exported = ledger
    .command('export')
    .description('write the entries of accounts to stdout, oldest first')
    .option('--account <address>', 'only this account; may be repeated (default: all)', collectAddresses)
    .option('--network <chainId>', 'only this network', parseChainId)
    .option('--from <time>', 'only blocks from this time on: 2026-01-01', parseTime)
    .option('--to <time>', 'only blocks before this time: 2026-04-01', parseTime)
    .addOption(
      new Option('--format <format>', 'one line for each entry').choices(['csv', 'ndjson']).default('csv'),
    )
  withManual(exported, {
    about: `
Times are UTC. Amounts are exact: \`amount\` in whole coins, \`units\` in the smallest unit, and negative for what went. The
entries of an account, network, holding and token add up to its balance, since what no log explains is an entry too.
docs/ledger.md describes the columns. Only final blocks are in it. What the service has not read yet is named on stderr.`,
    environment: { ...ofNetworks, ...ofPreparedDatabase },
    examples: [
      'ledger export --from 2026-01-01 --to 2026-04-01 > q1.csv',
      'ledger export --account 0x9c7c6eb5bd7ec9b8aebfd2d7a0e0e3f0e4d91f0c --format ndjson',
    ],
  }).action((options: ExportOptions) => exportLedger(options))

  const reindex = withNetwork(ledger.command('reindex'))
    .description('forget the entries of a network, so that the service reads them again')
    .option('--account <address>', 'only of this account', parseAddress)
  withManual(reindex, {
    about: `
Use it if a provider has left out logs, or after a reorganisation of blocks that counted as final. Workers read the chain
again, from the blocks in which the accounts were created, some requests at a time: lanyard_ledger_accounts_behind
shows how many accounts are left. Until then, exports lack entries.`,
    environment: { ...ofNetworks, ...ofPreparedDatabase },
    examples: ['ledger reindex --network 8453'],
  }).action((options: ReindexOptions) => reindexLedger(options))
}

/** A day, or a moment. */
function parseTime(text: string): Date {
  const time = new Date(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) ? text : Number.NaN)
  if (!Number.isNaN(time.getTime())) return time
  throw new InvalidArgumentError('Expected a day or a time, UTC: 2026-01-01, or 2026-01-01T09:30Z.')
}

interface ExportOptions {
  readonly account?: readonly Address[]
  readonly network?: number
  readonly from?: Date
  readonly to?: Date
  readonly format: 'csv' | 'ndjson'
}

/** Entries in memory at once. */
const pageSize = 1_000

async function exportLedger({ account, network, from, to, format }: ExportOptions): Promise<void> {
  const networks = await openNetworks(readCliEnv(terminal().env))
  if (network !== undefined) networks.get(network)
  await using database = await openCliDatabase()
  const named = account && (await Promise.all(account.map((one) => findNamed(database.db, one))))
  const subject = named?.join(', ') ?? 'all'
  await runCliAct(database, ({ record }) => record({ act: 'ledger.export', subject }))
  const { stdout } = terminal()
  if (format === 'csv') stdout(`account,${ledgerCsvHeader}`)
  for await (const one of named ?? listAll(database.db)) {
    const address = getAddress(one)
    for (let after: string | undefined, isLast = false; !isLast; ) {
      const query = { account: address, network, from, to, after, limit: pageSize }
      const page = await readLedgerPage({ database: database.db, networks }, query)
      for (const entry of page.entries)
        stdout(
          format === 'csv'
            ? `${address},${toLedgerCsv(entry)}`
            : `${JSON.stringify({ account: address, ...entry })}\n`,
        )
      isLast = page.next === null
      after = page.next ?? undefined
    }
  }
  const chainIds = networks.list().map(({ chainId }) => chainId)
  const meant = network === undefined ? chainIds : [network]
  for (const line of await findMissing(database.db, { named, chainIds: meant, to }))
    terminal().stderr(`${line}\n`)
}

interface Exported {
  readonly named: readonly string[] | undefined
  readonly chainIds: readonly number[]
  readonly to: Date | undefined
}

/** What an export lacks because the service has not read it yet, as sentences. */
async function findMissing(
  database: Kysely<Database>,
  { named, chainIds, to }: Exported,
): Promise<readonly string[]> {
  const missing: string[] = []
  const progress = await readLedgerProgress(database)
  for (const chainId of chainIds) {
    const head = progress.find(({ network }) => network === chainId)
    if (!head)
      missing.push(`Network ${chainId}: no block was read yet. Is a process with the role worker running?`)
    else if (to === undefined || head.block_at < to)
      missing.push(
        `Network ${chainId}: nothing after ${head.block_at.toISOString()}, the last block that was read.`,
      )
    if (head?.behind && !named)
      missing.push(
        `Network ${chainId}: ${counted(head.behind, 'account')} ${head.behind === 1 ? 'lacks' : 'lack'} entries: earlier blocks are still being read.`,
      )
  }
  for (const account of named ?? []) {
    const ledgers = await readAccountLedgers(database, account)
    for (const { network } of progress.filter((one) => chainIds.includes(one.network))) {
      const ledger = ledgers.find((one) => one.network === network)
      if (!ledger)
        missing.push(
          `${getAddress(account)} has no ledger on network ${network}: it begins when a passkey or a signed operation proves the account.`,
        )
      else if (!ledger.is_current)
        missing.push(
          `${getAddress(account)} lacks entries of network ${network} after block ${ledger.complete_to}.`,
        )
    }
  }
  return missing
}

async function findNamed(database: Kysely<Database>, named: Address): Promise<string> {
  const row = await findAccount(database, named)
  if (row) return row.address
  throw new CliError('UNKNOWN_WALLET', `${named} is not an account of this service, and not the EOA of one.`)
}

async function* listAll(database: Kysely<Database>): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const page = await listLedgerAccounts(database, { after, limit: pageSize })
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last
  }
}

interface ReindexOptions extends NetworkOptions {
  readonly account?: Address
}

async function reindexLedger({ network, account, json }: ReindexOptions): Promise<void> {
  const networks = await openNetworks(readCliEnv(terminal().env))
  networks.get(network)
  await using database = await openCliDatabase()
  const meant = account && (await findNamed(database.db, account))
  const output = createOutput({ json })
  const accounts = await runCliAct(database, async ({ transaction, record }) => {
    const reset = await resetLedger(transaction, { network, account: meant })
    await record({ act: 'ledger.reindex', subject: meant ?? 'all', after: { network, accounts: reset } })
    return reset
  })
  output.say(`${counted(accounts, 'account')} will be read again.`)
  output.finish({ network, accounts })
}
