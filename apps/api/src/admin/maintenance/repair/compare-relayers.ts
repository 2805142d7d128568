import { entryPointsOf, type Network } from '@lanyard/networks'
import { sql } from 'kysely'
import { type Address, getAddress, isAddressEqual, parseEventLogs } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { Difference, RepairContext } from './difference.ts'

/** Transactions that are looked up; the first of them counts further ones. */
const maxListed = 50

/**
 * Finds operations that the database does not have in transactions of relayers, and of the service's other senders: a relayer's
 * nonce on chain is above all of its rows. So a restored backup shows what was sent after it, whichever account it was for.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function compareRelayers({ database, network }: RepairContext): Promise<Difference[]> {
  const { chainId } = network
  // One key may be relayer, settler, treasury and the one that tops up.
  const { rows: relayers } = await sql<{ relayer: string; last: number; block: number | null }>`
    select relayer, max(nonce) as last, max(block_number) as block from (
      select relayer, nonce, block_number from relayer_transactions where network = ${chainId}
      union all
      select sender, nonce, null from gas_top_ups where network = ${chainId}
      union all
      select sender, nonce, null from relayer_refills where network = ${chainId}
    ) sent group by relayer order by relayer`.execute(database)
  const found: Difference[] = []
  for (const { relayer, last, block } of relayers) {
    const address = getAddress(relayer)
    const used = await network.call((client) => client.getTransactionCount({ address }))
    const first = Number(last) + 1
    const listed = Math.min(used, first + maxListed)
    let from = BigInt(block ?? 0)
    for (let nonce = first; nonce < listed; nonce++) {
      const sent = await findTransaction(network, { address, nonce, from })
      from = sent?.block ?? from
      const missing = sent && (await findMissing(database, sent.operations))
      if (missing?.length === 0) continue // it carried none, or each has its own row
      found.push({
        ...{ kind: 'RELAYER_TRANSACTION_UNKNOWN', network: chainId, account: relayer },
        subject: sent?.hash ?? `nonce ${nonce}`,
        database: { last_nonce: Number(last) },
        chain: {
          nonce,
          block_number: sent?.block ?? null,
          operations: missing ? missing.join(' ') : 'the RPC has no state of that block',
          ...(nonce === first && used > listed && { further: used - listed }),
        },
      })
    }
  }
  return found
}

async function findMissing(
  database: RepairContext['database'],
  operations: readonly string[],
): Promise<readonly string[]> {
  if (operations.length === 0) return []
  const rows = await database
    .selectFrom('every_operation')
    .where('user_op_hash', 'in', operations)
    .select('user_op_hash')
    .execute()
  const known = new Set(rows.map(({ user_op_hash }) => user_op_hash))
  return operations.filter((hash) => !known.has(hash))
}

interface Sent {
  readonly hash: string
  readonly block: bigint
  /** Hashes of the user operations that it carried. */
  readonly operations: readonly string[]
}

/**
 * Finds the block in which a nonce was used by halving, and its transaction there.
 *
 * @param from - a block before which it was not used
 * @returns undefined if the RPC keeps no state of such old blocks
 */
async function findTransaction(
  network: Network,
  { address, nonce, from }: { readonly address: Address; readonly nonce: number; readonly from: bigint },
): Promise<Sent | undefined> {
  let before = from
  let after = await network.call((client) => client.getBlockNumber())
  while (after - before > 1n) {
    const blockNumber = (before + after) / 2n
    const used = await network.call((client) =>
      client.getTransactionCount({ address, blockNumber }).catch(() => undefined),
    )
    if (used === undefined) return undefined
    if (used > nonce) after = blockNumber
    else before = blockNumber
  }
  const block = await network.call((client) =>
    client.getBlock({ blockNumber: after, includeTransactions: true }),
  )
  const sent = block.transactions.find((one) => isAddressEqual(one.from, address) && one.nonce === nonce)
  if (!sent) return undefined
  const receipt = await network.call((client) => client.getTransactionReceipt({ hash: sent.hash }))
  const entryPoints = entryPointsOf(network.config)
  const events = parseEventLogs({
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    logs: receipt.logs.filter((log) => entryPoints.some((one) => isAddressEqual(one, log.address))),
  })
  return { hash: sent.hash, block: after, operations: events.map(({ args }) => args.userOpHash) }
}
