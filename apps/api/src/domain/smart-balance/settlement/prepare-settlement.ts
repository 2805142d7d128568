import type { PreparedTransaction, TransactionContents } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { lockDueDebits, recordDebitsSent } from '@lanyard/database'
import { smartBalanceAbi } from '@lanyard/onchain'
import {
  encodeSettleBatch,
  outcomes,
  packAttestations,
  type Settling,
  toSettledOperation,
} from '@lanyard/smart-balance'
import { sql } from 'kysely'
import { type Address, BaseError, ContractFunctionRevertedError } from 'viem'
import { syncLedger } from '../ledger/sync-ledger.ts'
import { readAttestorSet, validAttestations } from './attestations.ts'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'
import { type DueDebit, scheduleRetry } from './due-debits.ts'

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
    // Orders pay for it in tokens, at the fees of their time.
    isOwnCost: true,
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

/** SQL condition on a row `tx` of relayer_transactions: it settles debits. */
export const hasSettlements = sql<boolean>`exists (
  select from settlement_debits link where link.txn_hash = tx.txn_hash)`

/**
 * SQL condition on a row `tx` of relayer_transactions: it settles debits, and no final block that includes it
 * has been read.
 */
export const hasOpenSettlements = sql<boolean>`tx.txn_hash = any (array(
  select link.txn_hash from settlement_debits link where not link.final))`

interface Position {
  readonly network: number
  readonly sender: Address
  readonly nonce: number
}

/** Debits as the contents of a settler's transaction, in the order of the batch. */
const settlementContents = (
  orderIds: readonly string[],
  { network, sender, nonce }: Position,
): TransactionContents => ({
  async lock(trx) {
    if (!(await lockDueDebits(trx, orderIds, network))) return false
    const taken = await trx
      .selectFrom('settlement_debits as link')
      .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
      .select('link.txn_hash')
      .where('link.order_id', 'in', orderIds)
      .where('link.network', '=', network)
      .where('link.final', '=', false)
      .where('tx.state', 'in', ['live', 'mined'])
      // A replacement contains the same debits under the same nonce.
      .where((eb) => eb.or([eb('tx.nonce', '!=', nonce), eb('tx.relayer', '!=', sender.toLowerCase())]))
      .executeTakeFirst()
    return taken === undefined
  },
  async link(trx, txnHash) {
    await trx
      .insertInto('settlement_debits')
      .values(orderIds.map((order_id, position) => ({ txn_hash: txnHash, position, order_id, network })))
      .onConflict((conflict) => conflict.columns(['txn_hash', 'position']).doNothing())
      .execute()
    await recordDebitsSent(trx, orderIds, network)
  },
})

interface SimulatedBatch {
  /** These debits pass together at the head of the chain, and an amount is taken for each. */
  readonly passing: readonly ProvenDebit[]
  readonly failing: readonly { readonly debit: ProvenDebit['debit']; readonly reason: string }[]
}

/** Nothing is due any more, or the account has no funds left; the ledger shows which. */
const nothingTaken = 'NothingToSettle'

/**
 * Runs `settleBatch` by eth_call, as the settler will send it. If it reverts, each debit is simulated alone,
 * and those that pass are simulated together again.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function simulateSettlements(
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

/** A debit in the form that the source network takes. */
interface ProvenDebit {
  readonly debit: DueDebit
  readonly settling: Settling
}

/**
 * Assembles the proofs: as many attestations as the source network requires, by attestors that it accepts.
 * After a change of attestors, networks may differ for a while. Debits without enough attestations are left
 * out.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function proveOutcomes(
  { database }: Pick<SettlementDependencies, 'database'>,
  source: BalanceNetwork,
  debits: readonly DueDebit[],
): Promise<ProvenDebit[]> {
  const rows = await database
    .selectFrom('attestations')
    .selectAll()
    .where(
      'order_hash',
      'in',
      debits.map(({ orderHash }) => orderHash),
    )
    .execute()
  const smartBalance = source.contract.address
  const attested = await Promise.all(
    debits.map(async (debit) => ({
      debit,
      attestations: await validAttestations(rows, { smartBalance, ...debit }),
    })),
  )
  const candidates = new Set(attested.flatMap(({ attestations }) => attestations.map(byAttestor)))
  if (candidates.size === 0) return []
  const { threshold, members } = await readAttestorSet(source, [...candidates])
  return attested.flatMap(({ debit, attestations }) => {
    const counting = attestations.filter(({ attestor }) => members.has(attestor))
    if (counting.length < threshold) return []
    const settling: Settling = {
      chainId: debit.outputNetwork,
      signed: toSettledOperation(debit.operation),
      outcome: debit.outcome,
      proof: packAttestations(counting.slice(0, threshold)),
    }
    return [{ debit, settling }]
  })
}

const byAttestor = ({ attestor }: { readonly attestor: Address }) => attestor
