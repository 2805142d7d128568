import { computeAccountAddress } from '@lanyard/accounts'
import type { AccountRow } from '@lanyard/database'
import { type BlockRange, entryPointsOf, walkBlocks } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { sql } from 'kysely'
import { getAddress, type PublicClient, parseEventLogs } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { getAbiItem } from 'viem/utils'
import { isContractAccountRow, toWallet } from '../../../domain/accounts/accounts/wallet.ts'
import type { EventLog } from '../../../domain/operations/track/inclusion.ts'
import { compareOperations } from './compare-operations.ts'
import { compareOrders, type OutcomeOfAccount } from './compare-orders.ts'
import { compareRelayers } from './compare-relayers.ts'
import { chunksOf, type Difference, type RepairContext } from './difference.ts'

/**
 * Compares a range of final blocks with the database, then each account's row with its address, and the nonces of relayers with
 * their rows. It only reads.
 *
 * @param maxWidth - maximum number of blocks in one request to the provider
 * @returns the differences of each range of blocks; of accounts and relayers, without a range
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function* findDifferences(
  context: RepairContext,
  range: BlockRange,
  maxWidth?: bigint,
): AsyncGenerator<{ readonly range?: BlockRange; readonly differences: readonly Difference[] }> {
  const walk = walkBlocks(
    context.network,
    range,
    async (client, blocks) => ({
      operations: await readOperations(client, context, blocks),
      outcomes: await readOutcomes(client, context, blocks),
    }),
    maxWidth === undefined ? {} : { maxWidth: () => maxWidth },
  )
  for await (const { result, ...blocks } of walk) {
    const differences = [
      ...(await compareOperations(context, blocks, result.operations)),
      ...(await compareOrders(context, blocks, result.outcomes)),
    ]
    yield { range: blocks, differences }
  }
  yield { differences: await compareAccounts(context) }
  yield { differences: await compareRelayers(context) }
}

const event = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })

async function readOperations(
  client: PublicClient,
  { network, accounts }: RepairContext,
  range: BlockRange,
): Promise<EventLog[]> {
  const address = [...entryPointsOf(network.config)]
  const requests = [...chunksOf(accounts)].map((chunk) => {
    const sender = chunk.map((account) => getAddress(account))
    return client.getLogs({ ...range, address, event, args: { sender }, strict: true })
  })
  return (await Promise.all(requests)).flat()
}

async function readOutcomes(
  client: PublicClient,
  { network, accounts }: RepairContext,
  range: BlockRange,
): Promise<OutcomeOfAccount[]> {
  const { smartBalance: address } = network.config
  if (!address) return []
  const logs = parseEventLogs({
    abi: smartBalanceAbi,
    eventName: ['OrderClaimed', 'OrderFailed'],
    logs: await client.getLogs({ ...range, address }),
    strict: true,
  })
  return logs.flatMap(({ eventName, args, transactionHash: txnHash, blockNumber, blockHash }) => {
    const account = args.account.toLowerCase()
    if (!accounts.has(account)) return []
    const outcome = eventName === 'OrderClaimed' ? 'claimed' : 'failed'
    return [{ account, orderHash: args.orderHash, outcome, txnHash, blockNumber, blockHash } as const]
  })
}

/** An account whose row contradicts its address is only reported: its creation data is in a backup. */
async function compareAccounts({ database, network, accounts }: RepairContext): Promise<Difference[]> {
  const found: Difference[] = []
  for (const chunk of chunksOf(accounts)) {
    const rows = await database.selectFrom('accounts').selectAll().where('address', 'in', chunk).execute()
    for (const row of rows) {
      if (!isContractAccountRow(row)) continue // its address is its owner
      const { address, eoa_address } = row
      const computed = addressOf(row)
      if (computed === address) continue
      const named = { network: network.chainId, account: address, subject: address }
      const sides = { database: { address, eoa_address }, chain: { address: computed ?? null } }
      found.push({ kind: 'ACCOUNT_CONTRADICTS_ITSELF', ...named, ...sides })
    }
  }
  return found
}

function addressOf(row: AccountRow): string | undefined {
  try {
    const { owner, deployment } = toWallet(row)
    return computeAccountAddress(owner, deployment).toLowerCase()
  } catch {
    return undefined // the row is incomplete
  }
}

/** The first block on a network that the database refers to; undefined: it refers to none. */
export async function findFirstBlock({ database, network }: RepairContext): Promise<bigint | undefined> {
  const { rows } = await sql<{ first: number | null }>`
    select min(block) as first from (
      select min(least(signed_at_block, block_number)) as block from every_operation where network = ${network.chainId}
      union all
      select min(block_number) from orders where output_network = ${network.chainId}
    ) known`.execute(database)
  return rows[0]?.first == null ? undefined : BigInt(rows[0].first)
}
