import { type Database, findAccount, findDetachedMonths } from '@lanyard/database'
import type { BlockRange } from '@lanyard/networks'
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { counted } from '../../../platform/counted.ts'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { readCliEnv } from '../../../platform/environment/env.ts'
import {
  type Difference,
  type DifferenceKind,
  differenceKinds,
  type RepairContext,
} from '../../maintenance/repair/difference.ts'
import { findDifferences, findFirstBlock } from '../../maintenance/repair/find-differences.ts'
import { runCliAct } from '../cli-audit.ts'
import { CliError } from '../cli-error.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import { ofNetworks, ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { openNetwork } from '../open-network.ts'
import { collectAddresses, type NetworkOptions, parseBlock, withNetwork } from '../options.ts'
import { createOutput, type Output } from '../output.ts'
import { terminal } from '../terminal.ts'

const about = `
Compares final blocks of one network with the database: the operations of the accounts, and the outcomes of orders. It
shows every difference that no worker repairs: in rows that are final or ended, in rows without a signature, and rows
that are missing. With --apply it repairs each difference that the chain decides, in a separate transaction that does
nothing if the row has changed meanwhile. It never invents rows: missing rows stay missing. Operations of months that
were detached from the archive are not compared. The service may run.

A relayer whose nonce on chain is above its rows has sent something that the database does not know, as after a restored
backup: each such transaction is named with the operations that have no row, also those of accounts that are lost. They are on chain, and
need nothing; only their accounts must be created again.

Deposits, debits, and owners of accounts are not compared: the service reads them from the chain again. An account whose
row contradicts its address is only reported: its first owner and module are in a backup. An interrupted run continues
with --from-block and the block that it named last.`

/** `lanyard repair`. */
export function addRepair(group: Command): void {
  const command = withNetwork(group)
    .option('--from-block <number>', 'default: the first block that the database knows', parseBlock)
    .option('--to-block <number>', 'default and maximum: the last final block', parseBlock)
    .option('--account <address>', 'only this account; may be repeated', collectAddresses)
    .option('--range <blocks>', 'maximum number of blocks in one request (default: 2000)', parseBlock)
    .option('--apply', 'repair what the chain decides')
  withManual(command, {
    about,
    terms: differenceKinds,
    environment: { ...ofNetworks, ...ofPreparedDatabase },
    endings: { failed: 'there are differences; with --apply, some are left' },
    examples: ['repair --network 8453', 'repair --network 8453 --apply --from-block 21000000'],
  }).action((options: RepairOptions) => repair(options))
}

/** A difference as it is shown. */
type Report = Omit<Difference, 'repair'> & { readonly repairable: boolean; readonly repaired: boolean }

/** As parsed from the command line. */
interface RepairOptions extends NetworkOptions {
  readonly fromBlock?: bigint
  readonly toBlock?: bigint
  readonly account?: readonly Address[]
  readonly range?: bigint
  readonly apply?: boolean
}

/** `lanyard repair`. */
async function repair(options: RepairOptions): Promise<void> {
  const { apply = false } = options
  const output = createOutput(options)
  const network = await openNetwork(readCliEnv(terminal().env), options.network)
  await using database = await openCliDatabase()
  const context: RepairContext = {
    database: database.db,
    network,
    accounts: new Set(await selectAccounts(database.db, options.account)),
    final: await network.quorum.final(),
    now: new Date(),
    detachedMonths: await findDetachedMonths(database.db),
  }
  const range = await chooseRange(context, options)
  const reports: Report[] = []
  output.progress(
    `  ${network.config.name} (${network.chainId}), blocks ${range.fromBlock} to ${range.toBlock}, ${counted(context.accounts.size, 'account')}`,
  )
  if (context.detachedMonths.length > 0)
    output.say(
      `Operations of detached months are not compared: ${context.detachedMonths.join(', ')} (docs/scaling.md).`,
    )
  for await (const { range: done, differences } of findDifferences(context, range, options.range)) {
    for (const difference of differences) {
      const report = await repairAndReport(context, difference, apply)
      output.say(describe(report))
      reports.push(report)
    }
    if (done) output.progress(`  block ${done.toBlock} of ${range.toBlock}, ${reports.length} differences`)
  }
  const left = reports.filter(({ repaired }) => !repaired).length
  summarise(output, reports, left)
  output.finish({ network: network.chainId, ...range, apply, left, differences: reports })
  if (left > 0) throw new CommandEnd(exitCodes.failed)
}

async function selectAccounts(
  database: Kysely<Database>,
  named: readonly Address[] | undefined,
): Promise<readonly string[]> {
  if (!named) {
    const rows = await database.selectFrom('accounts').select('address').orderBy('address').execute()
    return rows.map(({ address }) => address)
  }
  const find = async (named: Address) => {
    const row = await findAccount(database, named)
    if (row) return row.address
    throw new CliError(
      'UNKNOWN_WALLET',
      `${named} is not an account of this service, and not the EOA of one.`,
    )
  }
  return Promise.all(named.map(find))
}

async function chooseRange(
  context: RepairContext,
  { fromBlock, toBlock, range }: RepairOptions,
): Promise<BlockRange> {
  const last = context.final.number
  if (range === 0n) throw new ConfigurationError('The range', ['--range: at least one block'])
  if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock)
    throw new ConfigurationError('The range', ['--from-block: is after --to-block'])
  const first = fromBlock ?? (await findFirstBlock(context)) ?? last
  return { fromBlock: first, toBlock: toBlock !== undefined && toBlock < last ? toBlock : last }
}

/** Repairs each difference immediately, because a later one may depend on it. */
async function repairAndReport(
  { database }: RepairContext,
  difference: Difference,
  apply: boolean,
): Promise<Report> {
  const { repair, ...said } = difference
  const repairable = repair !== undefined
  if (!apply || !repair) return { ...said, repairable, repaired: false }
  const repaired = await runCliAct({ db: database }, async ({ transaction, record }) => {
    const changed = await repair(transaction)
    const { kind, subject, network, account, database: before, chain: after } = said
    if (changed)
      await record({
        ...{ act: 'row.repair', subject },
        ...{ before: { kind, network, account, ...before }, after },
      })
    return changed
  })
  return { ...said, repairable, repaired }
}

const show = (said: Readonly<Record<string, unknown>>) =>
  Object.entries(said)
    .map(([name, value]) => `${name} ${value instanceof Date ? value.toISOString() : String(value)}`)
    .join(', ') || 'nothing'

function describe({ kind, subject, database, chain, repairable, repaired }: Report): string {
  const end = repaired ? 'repaired' : repairable ? 'can be repaired: --apply' : 'not decided by the chain'
  return [`${kind} ${subject} (${end})`, `  database: ${show(database)}`, `  chain:    ${show(chain)}`].join(
    '\n',
  )
}

function summarise(output: Output, reports: readonly Report[], left: number): void {
  const counts = new Map<DifferenceKind, number>()
  for (const { kind } of reports) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  for (const [kind, count] of counts)
    output.say(`${String(count).padStart(6)}  ${kind}: ${differenceKinds[kind]}`)
  output.say(
    reports.length === 0
      ? 'The database agrees with the chain.'
      : `${reports.length} differences, ${reports.length - left} repaired, ${left} left.`,
  )
}
