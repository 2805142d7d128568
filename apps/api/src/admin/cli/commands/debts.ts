import { forgiveDebts, listDebts } from '@lanyard/database'
import type { Command } from 'commander'
import type { Address } from 'viem'
import { runCliAct } from '../cli-audit.ts'
import { CliError } from '../cli-error.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { type NetworkOptions, parseAddress, withJson, withNetwork } from '../options.ts'
import { createOutput } from '../output.ts'

const about =
  'An account owes what its operation cost a relayer whose transaction reverted, until its next operation repays it (docs/networks.md, "Gas that nobody pays"). Amounts are in wei.'

/** `lanyard debts list|forgive`. */
export function addDebts(group: Command): void {
  const debts = group
  withManual(withJson(debts.command('list').description('list what accounts owe, the largest debt first')), {
    about,
    environment: ofPreparedDatabase,
    examples: ['debts list --json'],
  }).action((options: JsonOption) => list(options))
  withManual(
    withNetwork(debts.command('forgive').description('write off what an account owes')).requiredOption(
      '--account <address>',
      'the smart account',
      parseAddress,
    ),
    {
      about: `${about} The losses stay in the ledger. A running service may still include the debt in builds of the next five minutes.`,
      environment: ofPreparedDatabase,
      examples: ['debts forgive --network 8453 --account 0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    },
  ).action((options: ForgiveOptions) => forgive(options))
}

interface JsonOption {
  readonly json?: boolean
}

interface ForgiveOptions extends NetworkOptions {
  readonly account: Address
}

async function list(options: JsonOption): Promise<void> {
  await using database = await openCliDatabase()
  const debts = await listDebts(database.db)
  const output = createOutput(options)
  for (const { network, account, owed, losses, since } of debts)
    output.say(`${account}  network ${network}  owes ${owed}  losses ${losses}  since ${since.toISOString()}`)
  if (debts.length === 0) output.say('Nobody owes anything.')
  output.finish({ debts: debts.map((debt) => ({ ...debt, owed: String(debt.owed) })) })
}

async function forgive({ network, account, ...options }: ForgiveOptions): Promise<void> {
  await using database = await openCliDatabase()
  const losses = await runCliAct(database, async ({ transaction, record }) => {
    const forgiven = await forgiveDebts(transaction, { network, account })
    const before = { network, losses: forgiven }
    if (forgiven > 0) await record({ act: 'debt.forgive', subject: account, before })
    return forgiven
  })
  if (losses === 0)
    throw new CliError(
      'NOTHING_OWED',
      `${account} owes nothing on network ${network}. \`lanyard debts list\` shows who does.`,
    )
  const output = createOutput(options)
  output.say(`${account} owes nothing on network ${network} any more.`)
  output.finish({ network, account, losses })
}
