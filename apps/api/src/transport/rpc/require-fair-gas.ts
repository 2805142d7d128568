import type { GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import type { Payer } from '../../domain/operations/build-request.ts'

type Limits = Omit<GasEstimate, 'execution'>

/** The state of the chain may change between two estimates: a twentieth, and this many units of gas. */
const slack = 2_000n

/** What validation does not use of its limits costs nothing. Clients' own stubs need more, a session's for example. */
const spareVerification = 500_000n

/** What a signature that this service does not know, such as a session's of another one, adds to call data. */
const ofOtherBundlers = 50_000n

/**
 * Requires the service's own estimate. Whoever sends the operation to EntryPoint receives what the paymaster is
 * charged, and that includes preVerificationGas and a tenth of the call gas that is not used: a caller could
 * otherwise turn the budgets of a policy into money.
 *
 * @param needed - the limits of an estimate
 * @throws PAYMASTER_REFUSED with the gas that the operation may have
 */
export function requireFairGas(
  chosen: Limits,
  needed: Limits,
  { anyBundler = false }: Pick<Payer, 'anyBundler'>,
): void {
  const charged = (gas: bigint) => (gas === 0n ? 0n : gas + gas / 20n + slack)
  const uncharged = (gas: bigint) => 2n * gas + spareVerification
  const spare = anyBundler ? ofOtherBundlers : 0n
  requireAtMost('preVerificationGas', chosen, charged(needed.preVerificationGas) + spare)
  requireAtMost('callGasLimit', chosen, charged(needed.callGasLimit))
  requireAtMost('paymasterPostOpGasLimit', chosen, charged(needed.paymasterPostOpGasLimit ?? 0n))
  requireAtMost('verificationGasLimit', chosen, uncharged(needed.verificationGasLimit))
  requireAtMost(
    'paymasterVerificationGasLimit',
    chosen,
    uncharged(needed.paymasterVerificationGasLimit ?? 0n),
  )
}

function requireAtMost(limit: keyof Limits, chosen: Limits, maximum: bigint): void {
  const gas = chosen[limit] ?? 0n
  if (gas <= maximum) return
  throw new LanyardError('PAYMASTER_REFUSED', {
    message: `The service pays for a ${limit} of at most ${maximum} here, and the operation has ${gas}. Estimate it with eth_estimateUserOperationGas, and add nothing.`,
    details: { refusal: limit, required: String(gas), budget: String(maximum) },
  })
}
