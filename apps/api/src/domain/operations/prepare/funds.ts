import { type Call, requiredPrefund } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { EstimateRequest } from './draft-operation.ts'
import type { EstimatedOperation } from './estimate.ts'

const sumOfValues = (calls: readonly Call[]) => calls.reduce((sum, { value }) => sum + value, 0n)

/**
 * Rejects an operation that the account cannot pay for: the prefund (first from its deposit, then from its
 * balance), unless a paymaster pays, and the native value that its calls send.
 *
 * The calls may receive value before they send it (for example, by unwrapping). If the balance is below their
 * sum, a simulation with the real balance decides.
 *
 * @throws INSUFFICIENT_FUNDS with `required`, `available` and `missing` in wei
 */
export async function requireFunds(
  { wallet, network, bundler, calls, allowRevert, payer }: EstimateRequest,
  { state, operation, stub }: EstimatedOperation,
): Promise<void> {
  const paysItself = operation.paymasterAndData === '0x'
  const prefund = paysItself ? requiredPrefund(operation) : 0n
  const fromBalance = prefund > state.deposit ? prefund - state.deposit : 0n
  const value = sumOfValues(calls)
  const required = fromBalance + value
  if (state.balance >= required) return
  if (state.balance >= fromBalance) {
    if (allowRevert && payer.maySponsorReverts) return
    const balance = state.balance - fromBalance
    const stateOverride = [...stub.simulation.stateOverride, { address: wallet.address, balance }]
    const { execution } = await bundler.estimate({ operation, ...stub.simulation, stateOverride })
    if (execution.success) return
  }
  throw new LanyardError('INSUFFICIENT_FUNDS', {
    message: `The account ${wallet.address} needs ${required} wei on ${network.config.name} and has ${state.balance}. Send it ${required - state.balance} wei.`,
    details: {
      network: network.chainId,
      required: String(required),
      available: String(state.balance),
      missing: String(required - state.balance),
    },
  })
}
