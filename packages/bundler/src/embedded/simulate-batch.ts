import type { Address } from 'viem'
import { bundleGasLimit, bytesInBundle, maxTransactionData, maxTransactionGas } from '../bundle-gas.ts'
import { type HandleOpsFailure, rejection } from '../entry-point/handle-ops-failure.ts'
import { simulateEachOperation, simulateHandleOps } from '../entry-point/simulate-handle-ops.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import type { EmbeddedContext } from './context.ts'
import type { DeferReason } from './defer.ts'
import type { StoredOperation } from './stored-operation.ts'

export interface SimulatedBatch<S extends StoredOperation> {
  /** These pass `handleOps` together at the head of the chain. */
  readonly passing: readonly S[]
  readonly failing: readonly { readonly stored: S; readonly reason: DeferReason }[]
}

/**
 * Simulates a bundle as it would be sent. If it fails, its operations are tried each alone, and with them those that
 * wait for a later bundle: however many of them fail, this is two round trips more, and at most two others while
 * some fail after others that pass.
 *
 * @param fees - what the bundle would offer
 * @param later - those that would follow it in bundles like this one
 */
export async function simulateBatch<S extends StoredOperation>(
  context: EmbeddedContext,
  relayer: Address,
  batch: readonly S[],
  fees: TransactionFees,
  later: readonly S[] = [],
): Promise<SimulatedBatch<S>> {
  let failure = await simulate(context, relayer, batch, fees)
  if (!failure) return { passing: batch, failing: [] }
  const [only, ...others] = [...batch, ...later]
  if (only && others.length === 0)
    return { passing: [], failing: [{ stored: only, reason: reasonOf(failure) }] }
  const failures = await simulateEach(context, relayer, [...batch, ...later], fees)
  const failing = [...failures].map(([stored, one]) => ({ stored, reason: reasonOf(one) }))
  let passing = batch.filter((stored) => !failures.has(stored))
  while (passing.length > 1) {
    failure = await simulate(context, relayer, passing, fees)
    if (!failure) break
    // They only fail together. Those that are left out are picked again later.
    const culprit = failure.index === undefined ? undefined : passing[failure.index]
    passing = culprit ? passing.filter((one) => one !== culprit) : passing.slice(0, 1)
  }
  return { passing, failing }
}

/**
 * Tries each operation alone. As many as fit into a transaction share an eth_call, all in one turn.
 *
 * What a passing operation did stays for those that follow it in its call: it may have deployed the sender of another
 * one. So those that fail after one that passed are tried again without it, and a second time each by a call of its own.
 */
async function simulateEach<S extends StoredOperation>(
  context: EmbeddedContext,
  relayer: Address,
  all: readonly S[],
  fees: TransactionFees,
  isSecond = false,
): Promise<Map<S, HandleOpsFailure>> {
  const { network } = context
  const groups = groupsOf(all, (operation) => bundleGasLimit([operation], network.config.l1Fee))
  const outcomes = await Promise.all(
    groups.map(async ({ members, gas }) => {
      const operations = members.map(({ operation }) => operation)
      const together = await simulateEachOperation({
        ...{ network, operations, relayer, fees },
        gas: gasOfCall(gas),
      })
      if (!together) return { members, failures: await simulateAlone(context, relayer, members, fees) }
      const passed = together.indexOf(undefined)
      const isDoubted = (index: number) => passed !== -1 && index > passed
      return { members, failures: together, isDoubted }
    }),
  )
  const failed = outcomes.flatMap(({ members, failures, isDoubted }) =>
    members.flatMap((stored, index) => {
      const failure = failures[index]
      return failure ? [{ stored, failure, isDoubted: isDoubted?.(index) ?? false }] : []
    }),
  )
  const sure = failed.filter((one) => !one.isDoubted).map(({ stored, failure }) => [stored, failure] as const)
  const doubted = failed.filter((one) => one.isDoubted).map(({ stored }) => stored)
  if (doubted.length === 0) return new Map(sure)
  if (!isSecond) return new Map([...sure, ...(await simulateEach(context, relayer, doubted, fees, true))])
  const failures = await simulateAlone(context, relayer, doubted, fees)
  const confirmed = doubted.flatMap((stored, index) => {
    const failure = failures[index]
    return failure ? [[stored, failure] as const] : []
  })
  return new Map([...sure, ...confirmed])
}

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
