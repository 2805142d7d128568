import { smartBalanceAbi } from '@lanyard/onchain'
import { outcomes } from '@lanyard/smart-balance'
import { type Address, BaseError, ContractFunctionRevertedError } from 'viem'
import type { BalanceNetwork } from './networks.ts'
import type { ProvenDebit } from './prove-outcomes.ts'

export interface SimulatedBatch {
  /** These debits pass together at the head of the chain, and an amount is taken for each. */
  readonly passing: readonly ProvenDebit[]
  readonly failing: readonly { readonly debit: ProvenDebit['debit']; readonly reason: string }[]
}

/** Nothing is due any more, or the account has no funds left; the ledger shows which. */
export const nothingTaken = 'NothingToSettle'

/**
 * Runs `settleBatch` by eth_call, as the settler will send it. If it reverts, each debit is simulated alone,
 * and those that pass are simulated together again.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function simulateSettlements(
  source: BalanceNetwork,
  settler: Address,
  batch: readonly ProvenDebit[],
): Promise<SimulatedBatch> {
  if (batch.length === 0) return { passing: [], failing: [] }
  const simulated = await simulate(source, settler, batch)
  if ('taken' in simulated) {
    const { taken } = simulated
    return {
      passing: batch.filter((_, index) => (taken[index] ?? 0n) > 0n),
      failing: batch
        .filter((_, index) => (taken[index] ?? 0n) === 0n)
        .map(({ debit }) => ({ debit, reason: nothingTaken })),
    }
  }
  const [only, ...others] = batch
  if (only && others.length === 0) return { passing: [], failing: [{ ...only, reason: simulated.reverted }] }
  const alone = await Promise.all(batch.map((one) => simulateSettlements(source, settler, [one])))
  const passing = alone.flatMap((one) => one.passing)
  const failing = alone.flatMap((one) => one.failing)
  // The debits fail only together: one is sent now, the others are retried.
  if (passing.length === batch.length) return { passing: passing.slice(0, 1), failing: [] }
  const together = await simulateSettlements(source, settler, passing)
  return { passing: together.passing, failing: [...failing, ...together.failing] }
}

async function simulate(
  { network, contract }: BalanceNetwork,
  settler: Address,
  batch: readonly ProvenDebit[],
): Promise<{ readonly taken: readonly bigint[] } | { readonly reverted: string }> {
  const settlings = batch.map(({ settling: { chainId, signed, outcome, proof } }) => ({
    chainId: BigInt(chainId),
    signed,
    outcome: outcomes[outcome],
    proof,
  }))
  return network.call(async (client) => {
    try {
      const { result } = await client.simulateContract({
        address: contract.address,
        abi: smartBalanceAbi,
        functionName: 'settleBatch',
        args: [settlings],
        account: settler,
      })
      return { taken: result }
    } catch (error) {
      const revert =
        error instanceof BaseError && error.walk((inner) => inner instanceof ContractFunctionRevertedError)
      if (!(revert instanceof ContractFunctionRevertedError)) throw error
      return { reverted: revert.data?.errorName ?? revert.shortMessage }
    }
  })
}
