import type { PreparedTransaction } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { encodeSettleBatch } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import { syncLedger } from '../ledger/sync-ledger.ts'
import type { SettlementDependencies } from './dependencies.ts'
import type { DueDebit } from './due-debits.ts'
import type { BalanceNetwork } from './networks.ts'
import { type ProvenDebit, proveOutcomes } from './prove-outcomes.ts'
import { scheduleRetry } from './schedule-retry.ts'
import { settlementContents } from './settlement-contents.ts'
import { nothingTaken, simulateSettlements } from './simulate-settlements.ts'

/** Maximum gas of one transaction (EIP-7825, Osaka: 2^24). */
const maxTransactionGas = 2n ** 24n

/** Adds a quarter to the estimate, since the state may change between the simulation and the block. */
const withMargin = (gas: bigint) => (gas * 5n) / 4n

/**
 * Prepares one `settleBatch` for the debits that can be settled now; the others are scheduled for a retry
 * with a reason.
 *
 * @returns undefined when none can be settled
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function prepareSettlement(
  dependencies: SettlementDependencies,
  source: BalanceNetwork,
  settler: Address,
  debits: readonly DueDebit[],
): Promise<PreparedTransaction | undefined> {
  const { checkpoint } = dependencies
  const { chainId } = source.network
  const proven = await proveOutcomes(dependencies, source, debits)
  const provenOrders = new Set(proven.map(({ debit }) => debit.orderId))
  for (const debit of debits) {
    if (!provenOrders.has(debit.orderId))
      await scheduleRetry(dependencies, chainId, debit, 'TooFewAttestations')
  }
  const { passing, failing } = await simulateSettlements(source, settler, proven)
  await checkpoint('settlement:batch-simulated')
  for (const { debit, reason } of failing) {
    // Another party may have settled it: a final block then shows this.
    if (reason === nothingTaken) await syncLedger(dependencies, debit.account, [source.network])
    await scheduleRetry(dependencies, chainId, debit, reason)
  }
  return passing.length === 0 ? undefined : toTransaction(dependencies, source, settler, passing)
}

async function toTransaction(
  dependencies: SettlementDependencies,
  source: BalanceNetwork,
  settler: Address,
  batch: readonly ProvenDebit[],
): Promise<PreparedTransaction> {
  const { network, contract } = source
  const data = encodeSettleBatch(batch.map(({ settling }) => settling))
  const gas = withMargin(
    await network.call((client) =>
      client.estimateGas({ account: settler, to: contract.address, data, value: 0n }),
    ),
  )
  // Signatures that Solidity verifies cost several times as much gas; the rest follows in the next
  // transaction.
  if (gas > maxTransactionGas && batch.length > 1) {
    return toTransaction(dependencies, source, settler, batch.slice(0, batch.length >> 1))
  }
  if (gas > maxTransactionGas) {
    throw new LanyardError('NETWORK_FAILED', {
      message: `${network.config.name} estimates ${gas} gas for one settlement, which is more than a transaction may use.`,
    })
  }
  return {
    to: contract.address,
    data,
    gas,
    contents: (position) =>
      settlementContents(
        batch.map(({ debit }) => debit.orderId),
        { network: network.chainId, ...position },
      ),
    async scheduleRetry(outcome) {
      for (const { debit } of batch) await scheduleRetry(dependencies, network.chainId, debit, outcome)
    },
  }
}
