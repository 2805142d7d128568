import type { ForeignPart } from '@lanyard/accounts'
import { keepWaiting, recordBundle } from '@lanyard/database'
import type { Address, LocalAccount } from 'viem'
import { bundleGasLimit } from '../bundle-gas.ts'
import { type Delegations, readDelegations } from '../eip7702/delegations.ts'
import { encodeHandleOps, entryPointOf } from '../entry-point/entry-point.ts'
import type { StoredOperation } from '../operation-row.ts'
import { type Lease, renewing } from '../sender/lease.ts'
import type { SendOutcome } from '../sender/send-raw-transaction.ts'
import { type OutgoingTransaction, sendTransaction } from '../sender/send-transaction.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import type { EmbeddedContext } from './context.ts'
import { findUncoveredL1Data } from './covers-its-costs.ts'
import type { DeferReason } from './defer.ts'
import { mayStayInBundle } from './foreign-senders.ts'
import { isSignerFailure } from './signer-failure.ts'
import { type SimulatedBatch, simulateBatch } from './simulate-batch.ts'
import type { WaitingOperation } from './waiting-operations.ts'

/**
 * Sends operations that passed a simulation together as one `handleOps`, with the relayer as beneficiary. The
 * authorisations that they still need go with them.
 *
 * @returns undefined if one of them was taken by another bundle; nothing was sent
 */
export async function sendBundle(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  bundle: Pick<OutgoingTransaction, 'nonce' | 'fees' | 'reason' | 'replaced' | 'loss'> & {
    /** Whether nothing vouches for its operation, which may revert. */
    readonly unproven: boolean
    /** For one EntryPoint, with their senders as they were read just now. */
    readonly operations: readonly StoredOperation[]
  } & Pick<CheckedBundle<StoredOperation>, 'delegations'>,
): Promise<SendOutcome | undefined> {
  const { operations: stored, delegations, unproven, ...transaction } = bundle
  const operations = stored.map(({ operation }) => operation)
  const renew = renewing(context, lease)
  const sending = sendTransaction(context, lease, relayer, {
    ...transaction,
    to: entryPointOf(context.network, operations[0] ?? {}),
    data: encodeHandleOps(operations, relayer.address),
    authorizations: operations.flatMap(({ sender, authorization }) =>
      authorization && delegations.get(sender.toLowerCase())?.isNeeded ? [authorization] : [],
    ),
    gas: bundleGasLimit(operations, context.network.config.l1Fee),
    record: (row) => recordBundle(context.database, { ...row, unproven }, stored, renew),
  })
  return await sending.catch(async (error: unknown) => {
    // Another relayer may send them immediately, so no retry is scheduled.
    if (isSignerFailure(error)) {
      const hashes = stored.map(({ hash }) => hash)
      await keepWaiting(context.database, hashes, {
        reason_code: error.code,
        reason_message: "The signer of the relayer's key did not sign. It will be retried.",
      })
    }
    throw error
  })
}

interface Refused<S> {
  readonly stored: S
  readonly reason: DeferReason
  /** False: its account is not to blame. */
  readonly isFault?: boolean
}

export interface CheckedBundle<S> {
  /** Those that can be sent together now. */
  readonly operations: readonly S[]
  readonly refused: readonly Refused<S>[]
  /** Those of later bundles that may fail: see `confirmFailures`. */
  readonly doubted: readonly S[]
  /** Those whose authorisations are spent, so that they can never be sent. */
  readonly spent: readonly Refused<S>[]
  readonly delegations: Delegations
}

const passingAll = <S extends StoredOperation>(passing: readonly S[]): SimulatedBatch<S> => ({
  passing,
  failing: [],
  doubted: [],
})

/**
 * Checks a bundle as it would be sent, at the head of the chain: all in one turn, so that it is one JSON-RPC batch. One that
 * was simulated as it is a moment ago, when its only operation was delivered, needs no request.
 *
 * @param later - those that would follow it: if the bundle fails, the answer also refuses those of them that fail
 */
export async function checkBundle<
  S extends StoredOperation & Partial<Omit<WaitingOperation, keyof StoredOperation>>,
>(
  context: EmbeddedContext,
  relayer: Address,
  batch: readonly S[],
  fees: TransactionFees,
  later: readonly S[] = [],
): Promise<CheckedBundle<S>> {
  const mayStay = mayStayInBundle(context, batch)
  const all = batch.map(({ operation }) => operation)
  const [only, ...others] = [...batch, ...later]
  const isKnown = only !== undefined && others.length === 0 && context.recentSimulations.take(only, relayer)
  const [{ passing, failing, doubted }, uncovered, external, delegations] = await Promise.all([
    isKnown ? passingAll(batch) : simulateBatch(context, relayer, batch, fees, later),
    findUncoveredL1Data(context, batch),
    isKnown ? new Map<string, ForeignPart>() : context.rememberedSenders.read(all),
    readDelegations(context.network, all),
  ])
  const refusedBy = new Map<S, Refused<S>>()
  for (const one of uncovered) refusedBy.set(one.stored, { ...one, isFault: false })
  for (const one of failing) refusedBy.set(one.stored, one)
  const spent = new Map<S, Refused<S>>()
  for (const stored of batch) {
    const { refusal, isSpent } = delegations.get(stored.operation.sender.toLowerCase()) ?? {}
    if (!refusal) continue
    // A simulation that overrides its sender's code does not see this.
    refusedBy.delete(stored)
    const { code, message } = refusal
    ;(isSpent ? spent : refusedBy).set(stored, { stored, reason: { code, message } })
  }
  return {
    operations: passing.filter(
      (stored) => !refusedBy.has(stored) && !spent.has(stored) && mayStay(stored, external),
    ),
    refused: [...refusedBy.values()],
    doubted,
    spent: [...spent.values()],
    delegations,
  }
}
