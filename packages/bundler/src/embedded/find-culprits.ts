import { isCausedByOthers } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import { type Address, isAddressEqual, type TransactionReceipt } from 'viem'
import { bundleGasLimit } from '../bundle-gas.ts'
import { simulateHandleOps } from '../entry-point/simulate-handle-ops.ts'
import { type SignedColumns, toSignedOperation } from '../operation-row.ts'
import type { EmbeddedContext } from './context.ts'
import { findForeignSenders } from './foreign-senders.ts'

/** An operation of a bundle that reverted. */
export interface BundledOperation
  extends SignedColumns,
    Pick<OperationRow, 'account' | 'nonce_key' | 'nonce_sequence' | 'sent_by'> {
  /** Unix seconds, the last one in which the service's own sponsorship or order can pay; null without one. */
  readonly paid_until: number | null
}

/**
 * The operations that made a bundle revert, although it had passed its simulation and nobody has used their nonces.
 *
 * - The only one of a bundle.
 * - The one that EntryPoint names when the same bundle runs at the end of its block: an owner has changed the account.
 * - Those whose validation runs foreign code at the end of that block: several accounts of one owner can burn gas together,
 *   and only the last of them fails.
 * - Those whose accounts did something else in that block: a change may have been undone behind the bundle. The
 *   state of an account as this service deploys it changes only by the account's own transactions, which leave logs.
 *   Anybody can send it coins, which leaves a log too.
 *
 * @returns nothing if no account is to blame
 */
export async function findCulprits(
  context: EmbeddedContext,
  { bundled, relayer }: { readonly bundled: readonly BundledOperation[]; readonly relayer: Address },
  { blockNumber, blockHash }: Pick<TransactionReceipt, 'blockNumber' | 'blockHash'>,
): Promise<readonly BundledOperation[]> {
  if (bundled.length < 2) return bundled
  return await examine(context, { bundled, relayer }, { blockNumber, blockHash }).catch((error: unknown) => {
    // The node does not keep the state of that block.
    if (error instanceof LanyardError && error.code === 'NETWORK_FAILED') return []
    throw error
  })
}

async function examine(
  context: EmbeddedContext,
  { bundled, relayer }: { readonly bundled: readonly BundledOperation[]; readonly relayer: Address },
  { blockNumber, blockHash }: Pick<TransactionReceipt, 'blockNumber' | 'blockHash'>,
): Promise<readonly BundledOperation[]> {
  const { network } = context
  // Without authorisations: those of the transaction have applied, whether or not it reverted.
  const operations = bundled.map((row) => {
    const { authorization: _, ...operation } = toSignedOperation(row)
    return operation
  })
  const accounts = bundled.map(({ account }) => account as Address) // the column holds 0x and 40 digits
  const [failure, external, logs] = await Promise.all([
    simulateHandleOps({
      ...{ network, operations, relayer, blockNumber },
      gas: bundleGasLimit(operations, network.config.l1Fee),
      fees: undefined,
    }),
    findForeignSenders(network, operations, blockNumber),
    network.call((client) => client.getLogs({ address: accounts, blockHash })),
  ])
  const changes = logs.filter(({ topics: [topic] }) => !isCausedByOthers(topic))
  return bundled.filter(
    ({ account }, index) =>
      index === failure?.index ||
      external.has(account) ||
      changes.some(({ address }) => isAddressEqual(address, account as Address)),
  )
}
