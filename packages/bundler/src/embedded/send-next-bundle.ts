import type { SignedUserOperation } from '@lanyard/accounts'
import type { Fees } from '@lanyard/networks'
import type { LocalAccount } from 'viem'
import type { Lease } from '../sender/lease.ts'
import { isUnwanted } from '../sender/send-raw-transaction.ts'
import { initialFees } from '../sender/transaction-fees.ts'
import { maxBundleFees } from './bundle-fees.ts'
import type { EmbeddedContext } from './context.ts'
import { type DeferReason, defer } from './defer.ts'
import { pickBatch } from './pick-batch.ts'
import { sendBundle } from './send-bundle.ts'
import { simulateBatch } from './simulate-batch.ts'
import type { WaitingOperation } from './waiting-operations.ts'

/** The result of one attempt to send a bundle. */
export type BundleOutcome = 'sent' | 'unwanted' | 'nothing-passed'

/**
 * Picks, simulates, signs, records and sends one bundle with the given nonce.
 *
 * @param waiting - operations that wait, at least one
 * @param turn - see {@link pickBatch}
 */
export async function sendNextBundle(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  {
    waiting,
    nonce,
    turn,
  }: { readonly waiting: readonly WaitingOperation[]; readonly nonce: number; readonly turn: number },
): Promise<BundleOutcome> {
  const market = await context.network.fees()
  const { affordable, tooLow } = partitionByFee(waiting, market)
  await defer(context, lease, tooLow)
  const batch = pickBatch(affordable, {
    most: context.settings.maxOperationsPerBundle,
    beneficiary: relayer.address,
    l1Fee: context.network.config.l1Fee,
    ownPaymaster: context.network.config.smartBalance,
    turn,
  })
  if (batch.length === 0) {
    await defer(
      context,
      lease,
      affordable.map((stored) => ({ stored, reason: tooLarge })),
    )
    return 'nothing-passed'
  }
  await context.checkpoint('batch-picked')

  const feesFor = (operations: readonly SignedUserOperation[]) =>
    initialFees(market, maxBundleFees(operations))
  const { passing, failing } = await simulateBatch(context, relayer.address, batch, feesFor)
  await context.checkpoint('batch-simulated')
  await defer(context, lease, failing)
  if (passing.length === 0) return 'nothing-passed'

  const outcome = await sendBundle(context, lease, relayer, {
    nonce,
    fees: feesFor(passing.map(({ operation }) => operation)),
    operations: passing,
  })
  if (outcome === undefined) return 'nothing-passed'
  return isUnwanted(outcome) ? 'unwanted' : 'sent'
}

/**
 * An operation whose cap is below the base fee would be mined at a loss, or never: it waits for the fee to
 * fall.
 */
function partitionByFee(waiting: readonly WaitingOperation[], { baseFeePerGas }: Fees) {
  const affordable = waiting.filter(({ operation }) => operation.maxFeePerGas >= baseFeePerGas)
  const tooLow = waiting
    .filter(({ operation }) => operation.maxFeePerGas < baseFeePerGas)
    .map((stored) => ({ stored, reason: feeTooLow(stored, baseFeePerGas) }))
  return { affordable, tooLow }
}

/** Delivery rejects these; one may remain from a time when a remote bundler was configured. */
const tooLarge: DeferReason = {
  code: 'OPERATION_REFUSED',
  message: 'The operation does not fit into one transaction of this relayer.',
}

const feeTooLow = ({ operation }: WaitingOperation, baseFeePerGas: bigint): DeferReason => ({
  code: 'FEE_TOO_LOW',
  message: `maxFeePerGas is ${operation.maxFeePerGas} wei, but the base fee is ${baseFeePerGas}: the operation waits for the base fee to fall.`,
})
