import type { SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { minFees, type Network, reachesMinFees } from '@lanyard/networks'
import {
  bundleGasLimit,
  fitsIntoTransaction,
  l1DataGas,
  maxTransactionData,
  maxTransactionGas,
  minPreVerificationGas,
} from '../bundle-gas.ts'
import { encodeHandleOps } from '../entry-point/entry-point.ts'
import type { StoredOperation } from '../operation-row.ts'
import type { EmbeddedContext } from './context.ts'
import { type Debts, gasRepaidNow } from './debts.ts'
import type { DeferReason } from './defer.ts'

/**
 * The relayer's requirements beyond validation: the operation fits into a transaction and pays for it.
 *
 * @throws FEE_TOO_LOW with the required amounts; OPERATION_REFUSED if it is too large.
 */
export async function assertCoversItsCosts(network: Network, operation: SignedUserOperation): Promise<void> {
  const { l1Fee } = network.config
  if (!fitsIntoTransaction([operation], encodeHandleOps([operation], operation.sender), l1Fee)) {
    throw new LanyardError('OPERATION_REFUSED', {
      message: `The operation needs ${bundleGasLimit([operation], l1Fee)} gas (the limit is ${maxTransactionGas}), or more than ${maxTransactionData} bytes. Split it up.`,
    })
  }
  const [l1Gas, fees] = await Promise.all([l1DataGas(network, operation), network.fees()])
  const preVerificationGas =
    minPreVerificationGas(network, operation) + l1Gas(bundleGasLimit([operation], l1Fee))
  if (operation.preVerificationGas < preVerificationGas) {
    throw new LanyardError('FEE_TOO_LOW', {
      message: `preVerificationGas is ${operation.preVerificationGas}, but this operation needs ${preVerificationGas}. Build it again.`,
      details: { requiredPreVerificationGas: preVerificationGas.toString() },
    })
  }
  if (reachesMinFees(operation, fees)) return
  const least = minFees(fees)
  throw new LanyardError('FEE_TOO_LOW', {
    message: `maxFeePerGas is ${operation.maxFeePerGas} and maxPriorityFeePerGas ${operation.maxPriorityFeePerGas} wei, but the network now needs at least ${least.maxFeePerGas} and ${least.maxPriorityFeePerGas}. Build the operation again.`,
    details: {
      baseFeePerGas: fees.baseFeePerGas.toString(),
      requiredMaxFeePerGas: least.maxFeePerGas.toString(),
      requiredMaxPriorityFeePerGas: least.maxPriorityFeePerGas.toString(),
    },
  })
}

/**
 * The operations of a bundle that no longer pay for their L1 data: its price moves within minutes, and the
 * relayer would pay the difference. No request on networks that charge nothing for it.
 */
export async function findUncoveredL1Data<S extends StoredOperation & Partial<Pick<Debts, 'owed'>>>(
  { network }: EmbeddedContext,
  batch: readonly S[],
): Promise<{ readonly stored: S; readonly reason: NonNullable<DeferReason> }[]> {
  const { l1Fee } = network.config
  if (!l1Fee) return []
  const found = await Promise.all(
    batch.map(async (stored) => {
      const { operation } = stored
      const l1Gas = await l1DataGas(network, operation)
      const required =
        minPreVerificationGas(network, operation) +
        l1Gas(bundleGasLimit([operation], l1Fee)) +
        gasRepaidNow(stored.owed ?? 0n, operation, await network.fees())
      if (operation.preVerificationGas >= required) return []
      const message = `preVerificationGas is ${operation.preVerificationGas}, but the network's data now needs ${required}: the operation waits for its price to fall.`
      return [{ stored, reason: { code: 'FEE_TOO_LOW' as const, message } }]
    }),
  )
  return found.flat()
}
