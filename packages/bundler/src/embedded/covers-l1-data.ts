import { bundleGasLimit, l1DataGas, minPreVerificationGas } from '../bundle-gas.ts'
import type { EmbeddedContext } from './context.ts'
import { type Debts, gasRepaidNow } from './debts.ts'
import type { DeferReason } from './defer.ts'
import type { StoredOperation } from './stored-operation.ts'

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
