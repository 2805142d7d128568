import {
  chargeSponsorship,
  type Database,
  deleteUnusedWithoutBuild,
  findPaidByOrders,
  findUncharged,
  hasEndedSponsorships,
  type SponsorshipRow,
} from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Hash } from 'viem'
import { type Inclusion, readInclusions } from '../operations/track/inclusion.ts'
import { settleBudgets } from './gas-budgets.ts'

/** Number of sponsorships that one pass checks; the next pass continues after them. */
const passSize = 200

interface Dependencies {
  readonly database: Kysely<Database>
}

/**
 * Whether there are sponsorships whose validity has ended by the clock, so that the chain is worth querying,
 * or whose orders have paid.
 */
export async function hasSponsorshipsToCharge(
  { database, now }: Dependencies & { readonly now: () => Date },
  network: number,
): Promise<boolean> {
  return (
    (await hasEndedSponsorships(database, network, Math.floor(now().getTime() / 1000))) ||
    (await findPaidByOrders(database, network, 1)).length > 0
  )
}

/**
 * Replaces the budget that operations reserved with their real cost to the service, once a final block makes
 * it certain. When that block is past the operation's validity, its event exists or never will. The chain is
 * queried, not the service's rows, since the operation may have been sent through another service. An order
 * that succeeded has paid for itself, and so has an operation whose token was taken. All other amounts stay reserved.
 *
 * If the process dies in between, the next pass charges the rest; the guard ensures that each is charged
 * once.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function chargeSponsorships({ database }: Dependencies, network: Network): Promise<void> {
  for (const paid of await findPaidByOrders(database, network.chainId, passSize)) {
    await charge(database, paid, 0n)
  }
  const open = await findUncharged(database, network.chainId, passSize)
  if (open.length === 0) return
  const { timestamp } = await network.quorum.final()
  const ended = open.filter(({ valid_until }) => valid_until < timestamp)
  if (ended.length === 0) return
  const search = {
    hashes: ended.map(({ user_op_hash }) => user_op_hash as Hash), // the column holds 0x and 64 digits
    fromBlock: BigInt(Math.min(...ended.map(({ built_at_block }) => built_at_block))),
  }
  // An RPC that hides an operation would free its budget: the highest cost that an origin shows counts.
  const { config, quorum } = network
  const answers = await Promise.all(
    quorum.witnesses.slice(0, maxWitnesses).map(({ call }) => readInclusions({ config, call }, search)),
  )
  const inclusions = answers.flat()
  const tips = await readAddedTips(database, inclusions)
  const costs = new Map<string, bigint>()
  const rows = new Map(ended.map((row) => [row.user_op_hash, row]))
  for (const inclusion of inclusions) {
    const { userOpHash, txnHash, success } = inclusion
    const row = rows.get(userOpHash)
    const tip = tips.get(`${txnHash} ${userOpHash}`)
    const hasPaid = row?.kind === 'token' ? inclusion.feePaid !== undefined : row?.kind === 'order' && success
    const cost = hasPaid ? 0n : costOf(inclusion, row, tip)
    if (cost > (costs.get(userOpHash) ?? 0n)) costs.set(userOpHash, cost)
  }
  for (const row of ended) await charge(database, row, costs.get(row.user_op_hash) ?? 0n)
}

/** What EntryPoint charged the paymaster, what the relayer bore at the same price, and the tip that it added. */
function costOf(
  { gasCost, gasUsed }: Pick<Inclusion, 'gasCost' | 'gasUsed'>,
  row: Pick<SponsorshipRow, 'relayer_gas'> | undefined,
  addedTip = 0n,
): bigint {
  const price = gasUsed === 0n ? 0n : (gasCost + gasUsed - 1n) / gasUsed
  const relayerGas = BigInt(row?.relayer_gas ?? 0)
  return gasCost + price * relayerGas + addedTip * (gasUsed + relayerGas)
}

/**
 * The tips that relayers of this service added to those of operations (`bundleFees`), wei per gas. Where the cap of the
 * transaction bound its price, it was less.
 *
 * @returns by the hashes of the transaction and the operation
 */
async function readAddedTips(
  database: Kysely<Database>,
  inclusions: readonly Inclusion[],
): Promise<ReadonlyMap<string, bigint>> {
  if (inclusions.length === 0) return new Map()
  const { rows } = await sql<{ txn_hash: string; user_op_hash: string; tip: string }>`
    select link.txn_hash, link.user_op_hash,
      greatest(0, tx.max_priority_fee_per_gas - (operations.user_op ->> 'maxPriorityFeePerGas')::numeric)::text as tip
    from relayer_transaction_operations link
      join relayer_transactions tx using (txn_hash)
      join operations using (user_op_hash)
    where link.txn_hash = any(${[...new Set(inclusions.map(({ txnHash }) => txnHash))]}::text[])`.execute(
    database,
  )
  return new Map(rows.map(({ txn_hash, user_op_hash, tip }) => [`${txn_hash} ${user_op_hash}`, BigInt(tip)]))
}

/** Number of origins that are asked, if there are so many. */
const maxWitnesses = 2

async function charge(
  database: Kysely<Database>,
  sponsorship: Pick<SponsorshipRow, 'user_op_hash'>,
  cost: bigint,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const charged = await chargeSponsorship(transaction, sponsorship, cost)
    if (!charged) return
    await settleBudgets(transaction, charged, cost)
    if (cost === 0n) await deleteUnusedWithoutBuild(transaction, charged)
  })
}
