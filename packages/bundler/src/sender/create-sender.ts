import { randomUUID } from 'node:crypto'
import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address, Hex, LocalAccount } from 'viem'
import { ownCost } from '../bundle-gas.ts'
import { coalesced } from './coalesced.ts'
import {
  type BundledContents,
  createInFlightLimit,
  defaultSenderSettings,
  type SenderContext,
  type SenderSettings,
  type SenderStep,
} from './context.ts'
import { fillGap, lowestFree } from './free-nonces.ts'
import { type Lease, takeLease, underLease } from './lease.ts'
import { sendFiller } from './send-filler.ts'
import { isUnwanted, type SendOutcome } from './send-raw-transaction.ts'
import { isOverLimit, recordContents, sendTransaction, type TransactionContents } from './send-transaction.ts'
import type { SenderEvent } from './sender-event.ts'
import { retiredSenders } from './settle-retired.ts'
import { type NonceState, settleTransactions, unsettledRows } from './settle-transactions.ts'
import { findStuckTransaction, highestFeesAt } from './stuck-transaction.ts'
import { replacementFees, type TransactionFees, withinMarket } from './transaction-fees.ts'

/** What a transaction gets when it is sent. */
export interface TransactionPosition {
  readonly sender: Address
  readonly nonce: number
  readonly fees: TransactionFees
}

/** A transaction without its nonce and fees. */
export interface PreparedTransaction {
  readonly to: Address
  readonly data: Hex
  /** wei. Default: 0. */
  readonly value?: bigint
  readonly gas: bigint
  /** Whether the account pays its gas for itself, within its hourly limit. Default: no. */
  readonly isOwnCost?: boolean
  readonly contents: (position: TransactionPosition) => TransactionContents
  /** Called if the node rejected it, or it costs the account too much now, so it was not sent: schedules a retry of its contents. */
  readonly scheduleRetry: (outcome: SendOutcome | 'over-limit') => Promise<void>
}

/** Supplies a sender with transactions. */
export interface TransactionSource extends BundledContents {
  /** Whether something waits; reads only the database. */
  readonly hasWaiting: () => Promise<boolean>
  /** The next transaction, simulated; undefined if nothing can be sent now. */
  readonly next: () => Promise<PreparedTransaction | undefined>
  /** The contents of a stuck transaction as they would be sent now; undefined if they cannot be sent. */
  readonly again: (txnHash: Hex) => Promise<PreparedTransaction | undefined>
}

export interface SenderDependencies {
  readonly database: Kysely<Database>
  /** Pays for its own transactions. */
  readonly account: LocalAccount
  readonly source: TransactionSource
  readonly now: () => Date
  readonly checkpoint: (step: SenderStep) => void | Promise<void>
  readonly settings?: Partial<SenderSettings>
  /** wei that the account may pay for itself within an hour. Default: `relayerLossPerHour` of the network. */
  readonly lossPerHour?: bigint
  readonly observe?: (event: SenderEvent) => void
}

export interface TransactionSender {
  /**
   * Does everything that can be done now: settles sent transactions, including those of previously configured
   * accounts, replaces stuck ones, and sends what waits. Any number of processes may call it for one account:
   * one of them sends at a time.
   *
   * @returns the node's response to the last transaction; undefined if none was sent
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED; pending transactions are in the table
   */
  drive(): Promise<SendOutcome | undefined>
}

/**
 * An account that sends its own transactions. Each is written before it is sent, and resent as the same
 * bytes.
 */
export function createTransactionSender(
  network: Network,
  dependencies: SenderDependencies,
): TransactionSender {
  const { database, account, source, now, checkpoint, settings, observe = () => {} } = dependencies
  const allSettings = { ...defaultSenderSettings, ...settings }
  const context: SenderContext = {
    network,
    database,
    holder: randomUUID(),
    now,
    checkpoint,
    settings: allSettings,
    lossPerHour: dependencies.lossPerHour ?? BigInt(network.config.relayerLossPerHour),
    inFlightLimit: createInFlightLimit(allSettings.maxInFlight),
    observe,
    seenWaiting: new Map(),
    hasContents: source.hasContents,
    hasOpenContents: source.hasOpenContents,
    reverted: source.reverted,
  }
  const retired = retiredSenders(context, [account.address])
  let last: SendOutcome | undefined
  const pass = coalesced(async () => {
    last = undefined
    await retired.settle()
    const rows = await unsettledRows(context, account.address)
    if (rows.length === 0 && !(await source.hasWaiting())) return
    const taken = await takeLease(context, account.address)
    last = await underLease(context, taken, (lease) => drive(context, lease, account, source))
  })
  return {
    async drive() {
      await pass()
      return last
    },
  }
}

async function drive(
  context: SenderContext,
  lease: Lease,
  account: LocalAccount,
  source: TransactionSource,
): Promise<SendOutcome | undefined> {
  const state = await settleTransactions(context, lease)
  await replaceStuck(context, lease, account, source, state)
  let outcome: SendOutcome | undefined
  while (state.liveNonces.size < context.inFlightLimit.current(context.now())) {
    const next = await source.next()
    if (!next) break
    const nonce = lowestFree(state)
    const { maxFeePerGas, maxPriorityFeePerGas } = await context.network.fees()
    const fees = { maxFeePerGas, maxPriorityFeePerGas }
    const record = recordContents(context, lease, next.contents({ sender: account.address, nonce, fees }))
    const loss = await lossOf(context, next, fees)
    const transaction = { ...next, nonce, fees, record, loss }
    if (await isOverLimit(context, lease, transaction)) {
      await next.scheduleRetry('over-limit')
      break
    }
    outcome = await sendTransaction(context, lease, account, transaction)
    if (outcome === undefined) break // taken in the meantime: the next pass checks again
    if (isUnwanted(outcome)) {
      if (outcome === 'nonce-too-high') context.inFlightLimit.learn(state.liveNonces.size + 1, context.now())
      await next.scheduleRetry(outcome)
      break
    }
    state.liveNonces.add(nonce)
  }
  await fillGap(context, lease, account, state)
  return outcome
}

/**
 * The oldest transaction has waited too long: sends its contents again at higher fees, or an empty transfer
 * in its place.
 */
async function replaceStuck(
  context: SenderContext,
  lease: Lease,
  account: LocalAccount,
  source: TransactionSource,
  state: NonceState,
): Promise<void> {
  const stuck = findStuckTransaction(context, state)
  if (!stuck) return
  const market = await context.network.fees()
  const fees = replacementFees(await highestFeesAt(context, stuck), market, withinMarket(market))
  if (!fees) return // it waits until market fees reach it
  const { nonce } = stuck
  const hash = stuck.txn_hash as Hex // written by this package from a hash
  const replacing = { reason: 'age', replaced: { since: stuck.created_at, hash } } as const
  const again = await source.again(hash)
  if (!again) {
    await sendFiller(context, lease, account, nonce, fees, replacing)
    return
  }
  const record = recordContents(context, lease, again.contents({ sender: account.address, nonce, fees }))
  const loss = await lossOf(context, again, fees)
  await sendTransaction(context, lease, account, { ...again, ...replacing, nonce, fees, record, loss })
}

/** What the account pays for itself at most, wei. */
const lossOf = async (
  { network }: SenderContext,
  { to, data, gas, isOwnCost }: PreparedTransaction,
  { maxFeePerGas }: TransactionFees,
): Promise<bigint> => (isOwnCost ? await ownCost(network, { to, data, gas, maxFeePerGas }) : 0n)
