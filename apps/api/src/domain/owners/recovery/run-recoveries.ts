import { encodeCancelRecovery, encodeExecuteRecovery, encodeStartRecovery } from '@lanyard/accounts'
import type { Bundler } from '@lanyard/bundler'
import { type Database, findAccount, nextAttempt } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type Address, BaseError, type Hash, type Hex } from 'viem'
import type { Checkpoint } from '../../../platform/checkpoint.ts'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { toWallet } from '../../accounts/accounts/wallet.ts'
import { withSigners } from '../guardians/guardian-passkey.ts'
import { isTooDear, returnToBudgets, type Taken, takeFromBudgets } from '../ownership/change-budget.ts'
import { readOwnership } from '../ownership/read-ownership.ts'
import type { CheckpointName } from './checkpoints.ts'
import { findGuardians, type GuardedOn, readGuardedOn } from './guardian-sets.ts'
import { chooseSignatures } from './guardian-signature.ts'
import { listMessages } from './list-messages.ts'
import { type GuardianMessage, isRecovery, listGuardianMessages, listSignatures } from './recovery.ts'
import { isSuperseded, outcomeOf } from './recovery-outcome.ts'
import {
  beginAttempt,
  findDueRecoveries,
  listRecoveryProgress,
  type RecoveryProgress,
  recordRecoveryProgress,
} from './recovery-progress.ts'
import { maxStepGas } from './step-gas.ts'

/** Recoveries in one pass. */
const maxRecoveries = 10

/** Milliseconds between attempts, doubled each time. */
const backoff = { initial: 10_000, max: 3_600_000 } as const

/** Milliseconds between looks at what was sent, or is in a block that a reorg can remove. */
const lookAgain = ({ config }: Network) => (config.local ? 2_000 : 15_000)

/** Milliseconds between looks at a recovery that waits for its delay: an owner may cancel it without this service. */
const lookRarely = 900_000

/** Milliseconds after which a call that was sent and is in no block is sent again. */
const resendAfter = 300_000

export interface RunDependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
  /** Transactions that the service pays for in a day, for one caller; undefined: none on this network. */
  readonly budget: number | undefined
  readonly bundler: Pick<Bundler, 'sendOwn'>
  readonly checkpoint: Checkpoint<CheckpointName>
}

/** Whether a network has recoveries to start, execute or check; reads only the database. */
export const hasDueRecoveries = async (
  { database, now }: Pick<RunDependencies, 'database' | 'now'>,
  { chainId }: Pick<Network, 'chainId'>,
) => (await findDueRecoveries(database, chainId, { now: now(), limit: 1 })).length > 0

/**
 * Starts the recoveries that enough guardians signed, and executes them after their delay. What the chain says decides
 * the next step, so a crash, a reorg or somebody else's transaction changes nothing but that.
 */
export async function runDueRecoveries(
  dependencies: RunDependencies,
  network: Network,
  module: Address,
): Promise<void> {
  const { database, now, log } = dependencies
  const { chainId } = network
  for (const recovery of await findDueRecoveries(database, chainId, { now: now(), limit: maxRecoveries })) {
    try {
      await runOn(dependencies, network, module, recovery)
    } catch (error) {
      const { account, hash } = recovery
      log.warn(
        { err: error, network: chainId, account, recovery: hash },
        'could not continue a recovery; it will be retried',
      )
    }
  }
}

type Next = Partial<Omit<RecoveryProgress, 'account' | 'hash' | 'network'>>

async function runOn(
  dependencies: RunDependencies,
  network: Network,
  module: Address,
  recovery: GuardianMessage,
): Promise<void> {
  const { database, now, checkpoint } = dependencies
  const { account, sequence, hash } = recovery
  const row = await findAccount(database, account)
  if (!row) return
  const wallet = toWallet(row)
  let progress = await readProgress(database, network, recovery, now())
  const record = (next: Next, write = recordRecoveryProgress) => {
    const expected = progress.next_attempt_at
    progress = { ...progress, ...next }
    return write(database, progress, expected)
  }
  const inTime = (milliseconds: number) => new Date(now().getTime() + milliseconds)
  const attempts = progress.attempts + 1
  const wait = (reason: string | null, write = recordRecoveryProgress) => {
    return record({ reason, attempts, next_attempt_at: nextAttempt(attempts - 1, now(), backoff) }, write)
  }
  const soon = (next: Next) => record({ ...next, attempts: 0, next_attempt_at: inTime(lookAgain(network)) })

  // Written before anything is asked or sent: whatever happens then, the next attempt comes later.
  await wait(progress.reason, beginAttempt)
  const on = await readGuardedOn(network, module, wallet, await findGuardians(database, account))
  const { state, timestamp } = on
  if (state.sequence > sequence) {
    const outcome = await readOutcome(database, recovery, progress, state)
    const isFinal = await isConsumed(network, module, wallet, sequence)
    const executed_at = outcome === 'executed' ? (progress.executed_at ?? now()) : null
    return soon({ state: outcome, final: isFinal, reason: null, executed_at })
  }
  const isRunning = state.recovery?.hash === hash
  if (isOver(recovery, state)) {
    const final = await readOwnership(network, module, wallet, await network.finalizedBlock())
    const isFinal = final.sequence > sequence || isOver(recovery, final)
    return soon({ state: isRecovery(recovery) ? 'cancelled' : 'executed', final: isFinal, reason: null })
  }
  // A reorg may have undone what was recorded. What was sent before the start is in a block says nothing of the execution.
  const isNewlyRunning = isRunning && progress.state !== 'running'
  await record({
    state: isRunning ? 'running' : 'pending',
    executed_at: null,
    ...(isNewlyRunning && { sent_at: null }),
  })
  if (state.sequence < sequence) return wait('WAITING')
  await record({ head: state.head })
  if (!state.enabled) return wait('NOT_ENABLED')
  // An owner's change of this sequence is on its way to this network, and cancels the recovery.
  if (await isSuperseded(database, account, sequence)) return wait('WAITING')
  // So does what enough guardians signed after it.
  if (await isReplaced(database, recovery)) return wait('WAITING')

  const readyAt = state.recovery?.readyAt ?? 0
  if (isRunning && timestamp < readyAt) {
    const final = await readOwnership(network, module, wallet, await network.finalizedBlock())
    if (final.recovery?.hash !== hash) return soon({ state: 'running', reason: null, sent_at: null })
    const left = Math.min(Math.max((readyAt - timestamp) * 1_000, lookAgain(network)), lookRarely)
    const next_attempt_at = inTime(left)
    return record({ state: 'running', reason: null, sent_at: null, attempts: 0, next_attempt_at })
  }
  if (progress.sent_at && now().getTime() - progress.sent_at.getTime() < resendAfter) return soon({})

  const { target } = recovery
  const call =
    isRunning && target
      ? encodeExecuteRecovery(target.newOwners, { module, account, newThreshold: target.newThreshold })
      : await encodeMessage(database, module, recovery, on)
  const step = isRunning ? 'execution' : 'start'
  await checkpoint(`recovery:${step}-prepared`)
  // Too few guardians signed for this network: a further signature makes it due at once.
  if (!call) return wait(null)
  if (!(await succeeds(network, call))) return wait('FAILED')
  const cancels = !target && state.recovery ? `${state.sequence}:${state.number}` : undefined
  const taken = await takePayment(dependencies, network, recovery, cancels)
  if (typeof taken === 'string') return wait(taken)
  // Shown if sending fails.
  await wait('FAILED')
  await checkpoint(`recovery:${step}-paid`)
  try {
    // A later attempt may consist of signatures of other guardians.
    const result = await dependencies.bundler.sendOwn?.({
      ...call,
      intent: `recovery:${step}:${account.toLowerCase()}:${hash}`,
      isUrgent: cancels !== undefined,
    })
    if (result === 'waiting') await returnToBudgets(database, taken)
  } catch (error) {
    if (isTooDear(error)) await returnToBudgets(database, taken)
    throw error
  }
  await checkpoint(`recovery:${step}-sent`)
  await soon({ reason: null, sent_at: now() })
}

async function readProgress(
  database: Kysely<Database>,
  { chainId }: Network,
  { account, hash, target }: GuardianMessage,
  now: Date,
): Promise<RecoveryProgress> {
  const rows = await listRecoveryProgress(database, account)
  return (
    rows.find((row) => row.network === chainId && row.hash === hash) ?? {
      ...{ account: account.toLowerCase(), hash, network: chainId, state: 'pending', final: false },
      ...{ reason: null, attempts: 0, next_attempt_at: now, sent_at: null, head: null, executed_at: null },
      starts: target !== undefined,
    }
  )
}

const readOutcome = async (
  database: Kysely<Database>,
  recovery: GuardianMessage,
  progress: RecoveryProgress,
  state: GuardedOn['state'],
) => {
  if (!recovery.target) return 'cancelled'
  const head = (progress.head as Hash | null) ?? recovery.head // a hash, as it was written
  const message = { sequence: recovery.sequence, hash: recovery.target.result }
  return outcomeOf(message, head, state, await listMessages(database, recovery.account))
}

/** Whether no reorg can make a sequence the next one again. */
async function isConsumed(network: Network, module: Address, wallet: Wallet, sequence: bigint) {
  const final = await readOwnership(network, module, wallet, await network.finalizedBlock())
  return final.sequence > sequence
}

/**
 * Whether a message of its sequence can do nothing more on a network: its number was replaced, taken back, or has lapsed.
 * For one that takes recoveries back, that it has been done.
 */
function isOver(message: GuardianMessage, { sequence, number, recovery }: GuardedOn['state']): boolean {
  if (sequence !== message.sequence || recovery?.hash === message.hash) return false
  if (number !== message.number || isRecovery(message)) return number >= message.number
  return recovery === undefined
}

/** Whether enough guardians signed a higher number of the sequence. */
async function isReplaced(
  database: Kysely<Database>,
  { account, sequence, number }: GuardianMessage,
): Promise<boolean> {
  const messages = await listGuardianMessages(database, account)
  return messages.some((other) => other.isComplete && other.sequence === sequence && other.number > number)
}

async function encodeMessage(
  database: Kysely<Database>,
  module: Address,
  { account, hash, sequence, number, target }: GuardianMessage,
  { network, guardians }: GuardedOn,
) {
  if (!guardians) return undefined
  const kept = (await listSignatures(database, account)).get(hash) ?? []
  const chosen = await chooseSignatures(network, guardians, hash, kept)
  if (!chosen) return undefined
  const context = { module, account, sequence, number }
  const call = target
    ? encodeStartRecovery(target.newOwners, guardians, chosen, {
        ...context,
        newThreshold: target.newThreshold,
      })
    : encodeCancelRecovery(guardians, chosen, context)
  const keys = chosen.flatMap(({ key }) => key ?? [])
  return withSigners(network, call, keys)
}

/** Asked before the budget is taken: what reverts costs nothing. */
async function succeeds(network: Network, { to, data }: { to: Address; data: Hex }): Promise<boolean> {
  try {
    await network.call((client) => client.call({ to, data, gas: maxStepGas }))
    return true
  } catch (error) {
    // Only reverts reach this point as viem errors.
    if (error instanceof BaseError) return false
    throw error
  }
}

/** Takes a transaction out of the budgets; returns why the service does not pay for it otherwise. */
async function takePayment(
  { database, now, budget, bundler }: RunDependencies,
  { chainId }: Network,
  { account, sentBy }: GuardianMessage,
  cancels: string | undefined,
): Promise<Taken | 'NOT_SPONSORED' | 'BUDGET_SPENT'> {
  if (!bundler.sendOwn || budget === undefined) return 'NOT_SPONSORED'
  const day = { kind: 'recovery', network: chainId, budget, now: now() } as const
  return (await takeFromBudgets(database, { ...day, account, sentBy, cancels })) ?? 'BUDGET_SPENT'
}
