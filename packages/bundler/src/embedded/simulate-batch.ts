import type { Address } from 'viem'
import { bundleGasLimit, bytesInBundle, maxTransactionData, maxTransactionGas } from '../bundle-gas.ts'
import { type HandleOpsFailure, rejection } from '../entry-point/handle-ops-failure.ts'
import { simulateEachOperation, simulateHandleOps } from '../entry-point/simulate-handle-ops.ts'
import type { StoredOperation } from '../operation-row.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import type { EmbeddedContext } from './context.ts'
import type { DeferReason } from './defer.ts'
import type { WaitingOperation } from './waiting-operations.ts'

export interface SimulatedBatch<S extends StoredOperation> {
  /** These pass `handleOps` together at the head of the chain. */
  readonly passing: readonly S[]
  readonly failing: readonly Failing<S>[]
  /** Those of later bundles that fail after others, perhaps because of those: see {@link confirmFailures}. */
  readonly doubted: readonly S[]
}

interface Failing<S> {
  readonly stored: S
  readonly reason: DeferReason
}

/**
 * Simulates a bundle as it would be sent. If it fails, its operations are tried each alone, and with them those that
 * wait for a later bundle: however many of them fail, this is one round trip more, and another one if several pass or
 * some fail after one that passes. Operations of accounts that have failed lately are tried each alone at once.
 *
 * @param fees - what the bundle would offer
 * @param later - those that would follow it in bundles like this one
 */
export async function simulateBatch<S extends StoredOperation & Partial<Pick<WaitingOperation, 'failures'>>>(
  context: EmbeddedContext,
  relayer: Address,
  batch: readonly S[],
  fees: TransactionFees,
  later: readonly S[] = [],
): Promise<SimulatedBatch<S>> {
  const all = [...batch, ...later]
  const [only, ...others] = all
  if (!only) return { passing: [], failing: [], doubted: [] }
  if (others.length === 0 || !batch.every(({ failures = 0 }) => failures > 0)) {
    const failure = await simulate(context, relayer, batch, fees)
    if (!failure) return { passing: batch, failing: [], doubted: [] }
    if (others.length === 0) {
      return { passing: [], failing: [{ stored: only, reason: reasonOf(failure) }], doubted: [] }
    }
  }
  const { failing, doubted } = await simulateEach(context, relayer, all, fees)
  const own = new Set(batch)
  const refused = failing.map(({ stored }) => stored)
  const without = (failed: readonly S[]) => batch.filter((stored) => !failed.includes(stored))
  // If only one passes, it was tried before any other had an effect.
  const simulateTogether = async (several: readonly S[]) =>
    several.length > 1 ? await simulate(context, relayer, several, fees) : undefined
  let passing = without([...refused, ...doubted])
  let [failure, confirmed] = await Promise.all([
    simulateTogether(passing),
    confirmFailures(
      context,
      relayer,
      doubted.filter((stored) => own.has(stored)),
      fees,
    ),
  ])
  const passingAfterAll = without([...refused, ...confirmed.map(({ stored }) => stored)])
  if (passingAfterAll.length > passing.length) {
    passing = passingAfterAll
    failure = await simulateTogether(passing)
  }
  while (failure) {
    // They only fail together. Those that are left out are picked again later.
    const { index } = failure
    passing = index === undefined ? passing.slice(0, 1) : passing.toSpliced(index, 1)
    failure = await simulateTogether(passing)
  }
  return {
    passing,
    failing: [...failing, ...confirmed],
    doubted: doubted.filter((stored) => !own.has(stored)),
  }
}

/**
 * Tries doubted operations again without those that passed, and those that are doubted again each by a call of its own.
 *
 * @returns those that fail whatever others do
 */
export async function confirmFailures<S extends StoredOperation>(
  context: EmbeddedContext,
  relayer: Address,
  all: readonly S[],
  fees: TransactionFees,
): Promise<readonly Failing<S>[]> {
  if (all.length === 0) return []
  const { failing, doubted } = await simulateEach(context, relayer, all, fees)
  return [...failing, ...failingOf(doubted, await simulateAlone(context, relayer, doubted, fees))]
}

/**
 * Tries each operation alone. As many as fit into a transaction share an eth_call, all in one turn.
 *
 * What a passing operation did stays for those that follow it in its call: it may have deployed the sender of another
 * one. So those that fail after one that passed are doubted.
 */
async function simulateEach<S extends StoredOperation>(
  context: EmbeddedContext,
  relayer: Address,
  all: readonly S[],
  fees: TransactionFees,
): Promise<Omit<SimulatedBatch<S>, 'passing'>> {
  const { network } = context
  const groups = groupsOf(all, (operation) => bundleGasLimit([operation], network.config.l1Fee))
  const outcomes = await Promise.all(
    groups.map(async ({ members, gas }) => {
      const operations = members.map(({ operation }) => operation)
      const together = await simulateEachOperation({
        ...{ network, operations, relayer, fees },
        gas: gasOfCall(gas),
      })
      if (!together) {
        const failing = failingOf(members, await simulateAlone(context, relayer, members, fees))
        return { failing, doubted: [] }
      }
      const passed = together.indexOf(undefined)
      const sure = passed === -1 ? members.length : passed
      return {
        failing: failingOf(members.slice(0, sure), together),
        doubted: members.filter((_, index) => index > sure && together[index]),
      }
    }),
  )
  return {
    failing: outcomes.flatMap(({ failing }) => failing),
    doubted: outcomes.flatMap(({ doubted }) => doubted),
  }
}

const failingOf = <S>(all: readonly S[], failures: readonly (HandleOpsFailure | undefined)[]): Failing<S>[] =>
  all.flatMap((stored, index) => {
    const failure = failures[index]
    return failure ? [{ stored, reason: reasonOf(failure) }] : []
  })

const simulateAlone = (
  context: EmbeddedContext,
  relayer: Address,
  all: readonly StoredOperation[],
  fees: TransactionFees,
) => Promise.all(all.map((one) => simulate(context, relayer, [one], fees)))

/** Those that fit together into the gas and the data of a transaction. */
function groupsOf<S extends StoredOperation>(
  all: readonly S[],
  gasOf: (operation: S['operation']) => bigint,
): { members: S[]; gas: bigint; bytes: number }[] {
  const groups: { members: S[]; gas: bigint; bytes: number }[] = []
  for (const stored of all) {
    const [gas, bytes] = [gasOf(stored.operation), bytesInBundle(stored.operation)]
    const group = groups.find((one) => fitsIntoCall(one.gas + gas) && one.bytes + bytes <= maxTransactionData)
    if (group) {
      group.members.push(stored)
      group.gas += gas
      group.bytes += bytes
    } else groups.push({ members: [stored], gas, bytes })
  }
  return groups
}

/** The call of each operation retains 1/64 (EIP-150). */
const gasOfCall = (gas: bigint) => (gas * 64n) / 63n
const fitsIntoCall = (gas: bigint) => gasOfCall(gas) <= maxTransactionGas

async function simulate(
  { network }: EmbeddedContext,
  relayer: Address,
  batch: readonly StoredOperation[],
  fees: TransactionFees,
): Promise<HandleOpsFailure | undefined> {
  const operations = batch.map(({ operation }) => operation)
  return await simulateHandleOps({
    network,
    operations,
    relayer,
    gas: bundleGasLimit(operations, network.config.l1Fee),
    fees,
  })
}

/**
 * A used nonce may have been used by this very operation, in anyone's bundle. Reconciliation finds out: a
 * search through logs here would delay all other operations.
 */
function reasonOf(failure: HandleOpsFailure): DeferReason {
  if (failure.aaCode === 'AA25' || failure.aaCode === 'AA10') return null
  const { code, message } = rejection(failure)
  return { code, message }
}
