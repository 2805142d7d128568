import type { GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'

type Limits = Omit<GasEstimate, 'execution'>

/**
 * Clients may add to an estimate. EntryPoint charges preVerificationGas in full, and a tenth of other unused gas: each
 * costs a fraction of an operation. Units of gas.
 */
const spareGas = { charged: 50_000n, unused: 500_000n }

/**
 * Rejects gas that an operation does not need. Whoever sends the operation to EntryPoint receives what the paymaster
 * is charged: a caller could otherwise turn the budgets of a policy into money, by preVerificationGas or by the
 * penalty for unused gas.
 *
 * @param needed - the limits of an estimate
 * @throws PAYMASTER_REFUSED
 */
export function requireFairGas(chosen: Limits, needed: Limits): void {
  const withSpare = (gas: bigint) => 2n * gas + spareGas.unused
  requireAtMost(
    'preVerificationGas',
    chosen.preVerificationGas,
    2n * needed.preVerificationGas + spareGas.charged,
  )
  for (const limit of ['verificationGasLimit', 'callGasLimit'] as const)
    requireAtMost(limit, chosen[limit], withSpare(needed[limit]))
  for (const limit of ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'] as const)
    requireAtMost(limit, chosen[limit] ?? 0n, withSpare(needed[limit] ?? 0n))
}

function requireAtMost(limit: keyof Limits, gas: bigint, most: bigint): void {
  if (gas <= most) return
  throw new LanyardError('PAYMASTER_REFUSED', {
    message: `The service pays for a ${limit} of at most ${most} here, and the operation has ${gas}. Estimate it with eth_estimateUserOperationGas.`,
    details: { refusal: limit, required: String(gas), budget: String(most) },
  })
}
