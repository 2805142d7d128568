import { encodeCancelRecovery, encodeExecuteRecovery, encodeStartRecovery } from '@lanyard/accounts'
import type { Bundler } from '@lanyard/bundler'
import { type Database, findAccount } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type Address, BaseError, getAddress, type Hash, type Hex } from 'viem'
import type { Checkpoint } from '../../../platform/checkpoint.ts'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { toWallet } from '../../accounts/accounts/wallet.ts'
import { isDown } from '../../accounts/owners/read-owners.ts'
import { withSigners } from '../guardians/guardian-passkey.ts'
import { encodeLog } from '../ownership/accept-change.ts'
import { areFeesTooHigh, returnToBudgets, takeFromBudgets } from '../ownership/change-budget.ts'
import { type OwnershipState, readOwnership } from '../ownership/read-ownership.ts'
import { listSignedChanges } from '../ownership/signed-change.ts'
import { findGuardians, type GuardianState, readGuardianState } from '../recovery/guardian-sets.ts'
import { chooseSignatures } from '../recovery/guardian-signature.ts'
import { toMessages } from '../recovery/list-messages.ts'
import {
  type GuardianMessage,
  isRecovery,
  listGuardianMessages,
  listSignatures,
} from '../recovery/recovery.ts'
import { type Message, outcomeOf } from '../recovery/recovery-outcome.ts'
import { maxStepGas } from '../recovery/step-gas.ts'
import type { CheckpointName, StepName } from './checkpoints.ts'
import { beginAttempt, findDueAccounts, type MessageProgress, recordProgress } from './message-progress.ts'
import {
  chooseNext,
  hasEnded,
  isCancellation,
  isChange,
  isReplaced,
  type SignedMessage,
} from './next-messages.ts'

/** Accounts in one pass, for each kind of message. */
const maxAccounts = 10

/** Milliseconds between looks at what was sent, or is in a block that a reorg can remove. */
const checkInterval = ({ config }: Network) => (config.local ? 2_000 : 15_000)

/** Milliseconds between looks at a recovery that waits for its delay: an owner may cancel it without this service. */
const maxWait = 900_000

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

/** Whether a network has messages to apply or to check; reads only the database. */
export const hasDueMessages = async (
  { database, now }: Pick<RunDependencies, 'database' | 'now'>,
  { chainId }: Pick<Network, 'chainId'>,
) => (await findDueAccounts(database, chainId, { now: now(), limit: 1 })).length > 0

/**
 * Brings a network up to date with what owners and guardians signed: applies changes in their order, starts, executes and takes
 * back recoveries, and checks what is done until no reorg can undo it. What the chain says decides the next step, so a crash,
 * a reorg or another sender's transaction changes nothing but that.
 */
export async function runDueMessages(
  dependencies: RunDependencies,
  network: Network,
  module: Address,
): Promise<void> {
  const { database, now, log } = dependencies
  const { chainId } = network
  for (const account of await findDueAccounts(database, chainId, { now: now(), limit: maxAccounts })) {
    try {
      const result = await runOn(dependencies, network, module, getAddress(account))
      // The other accounts would find the same. They stay due.
      if (result === 'away') return
    } catch (error) {
      log.warn(
        { err: error, network: chainId, account },
        'could not apply what owners or guardians signed; it will be retried',
      )
    }
  }
}

/** A message with how far the network is. */
interface Step {
  readonly signed: SignedMessage
  progress: MessageProgress
}

type Next = Partial<Omit<MessageProgress, 'account' | 'hash' | 'network' | 'kind'>>

async function runOn(
  dependencies: RunDependencies,
  network: Network,
  module: Address,
  account: Address,
): Promise<'away' | undefined> {
  const { database, now, log } = dependencies
  const row = await findAccount(database, account)
  if (!row) return undefined
  const begun = await beginAttempt(database, { account, network: network.chainId, now: now() })
  const [changes, guardianMessages, guardians] = await Promise.all([
    listSignedChanges(database, account),
    listGuardianMessages(database, account),
    findGuardians(database, account),
  ])
  const signed = [...changes, ...guardianMessages]
  const known = toMessages(changes, guardianMessages.filter(isRecovery))
  const steps = begun.flatMap((progress): Step[] => {
    const found = signed.find(({ hash }) => hash === progress.hash)
    return found ? [{ signed: found, progress }] : []
  })
  const on = await readGuardianState(network, module, toWallet(row), guardians).catch(async (error) => {
    if (!isDown(error)) throw error
    // A network that is away is no failure of what was signed: what stops a theft is sent as soon as it is back.
    for (const progress of begun) {
      const next_attempt_at = new Date(now().getTime() + checkInterval(network))
      const attempts = progress.attempts - 1
      await recordProgress(database, { ...progress, attempts, next_attempt_at }, progress.next_attempt_at)
    }
  })
  if (!on) return 'away'
  await proceed(dependencies, on, { module, wallet: toWallet(row), steps, signed, known })
  for (const { progress } of steps) {
    const { hash, kind, state, reason } = progress
    const before = begun.find((one) => one.hash === hash)
    if (before?.state === state && before.reason === reason) continue
    log.info(
      { network: network.chainId, account, message: hash, kind, state, ...(reason !== null && { reason }) },
      'what owners or guardians signed is in another state',
    )
  }
  return undefined
}

interface Attempt {
  readonly module: Address
  readonly wallet: Wallet
  /** What takes part. */
  readonly steps: readonly Step[]
  /** All messages of the account. */
  readonly signed: readonly SignedMessage[]
  readonly known: readonly Message[]
}

/** Records what the network says of each message, and sends what comes next. */
async function proceed(
  dependencies: RunDependencies,
  on: GuardianState,
  { module, wallet, steps, signed, known }: Attempt,
): Promise<void> {
  const { database, now, bundler, checkpoint } = dependencies
  const { network, state, timestamp } = on
  const { address: account } = wallet
  const record = async (some: readonly Step[], next: Next) => {
    for (const step of some) {
      const expected = step.progress.next_attempt_at
      step.progress = { ...step.progress, ...next }
      await recordProgress(database, step.progress, expected)
    }
  }
  const inTime = (milliseconds: number) => new Date(now().getTime() + milliseconds)
  const soon = (some: readonly Step[], next: Next) =>
    record(some, { ...next, attempts: 0, next_attempt_at: inTime(checkInterval(network)) })

  let final: Promise<OwnershipState> | undefined
  const readFinal = () => {
    final ??= network.finalizedBlock().then((block) => readOwnership(network, module, wallet, block))
    return final
  }
  const pending: Step[] = []
  for (const step of steps) {
    if (hasEnded(step.signed, state)) {
      const isFinal = hasEnded(step.signed, await readFinal())
      await soon([step], { ...outcomeOn(step, state, known, now()), final: isFinal, reason: null })
      continue
    }
    const isRunning = state.recovery?.hash === step.signed.hash
    if (!isRunning && isReplaced(step.signed, signed)) {
      await record([step], { state: 'cancelled', final: true, reason: null, executed_at: null })
    } else {
      // A reorg may have undone what was recorded. What was sent before a start says nothing of the execution.
      const isNew = isRunning && step.progress.state !== 'running'
      const isNext = step.signed.sequence === state.sequence
      await record([step], {
        ...{ state: isRunning ? 'running' : 'pending', executed_at: null },
        ...(isNew && { sent_at: null }),
        ...(isNext && { head: state.head }),
      })
      pending.push(step)
    }
  }

  // In the order in which they are signed for; rows have none.
  const next: Step[] = []
  for (const chosen of chooseNext(signed, state)) {
    const step = pending.find((one) => one.signed === chosen)
    if (!step) break
    next.push(step)
  }
  await record(
    pending.filter((step) => !next.includes(step)),
    { reason: 'WAITING' },
  )
  const [first] = next
  if (!first) return
  if (!state.enabled) return record(next, { reason: 'NOT_ENABLED' })

  const isRunning = first.progress.state === 'running'
  const readyAt = state.recovery?.readyAt ?? 0
  if (isRunning && timestamp < readyAt) {
    const { recovery } = await readFinal()
    const waits = { reason: null, sent_at: null }
    if (recovery?.hash !== first.signed.hash) return soon(next, waits)
    const left = Math.min(Math.max((readyAt - timestamp) * 1_000, checkInterval(network)), maxWait)
    return record(next, { ...waits, attempts: 0, next_attempt_at: inTime(left) })
  }
  const { sent_at: sentAt } = first.progress
  if (sentAt && now().getTime() - sentAt.getTime() < resendAfter) return soon(next, {})

  const step: StepName = isChange(first.signed) ? 'change' : isRunning ? 'execution' : 'start'
  const call = await encode(dependencies, on, { module, wallet, signed: next.map((one) => one.signed) })
  await checkpoint(`message:${step}-prepared`)
  // Too few guardians signed for this network: a further signature makes it due at once.
  if (!call) return record(next, { reason: null })
  if (!(await succeeds(network, call))) return record(next, { reason: 'FAILED' })
  const stops = state.recovery !== undefined && next.some(({ signed }) => isCancellation(signed))
  const cancels = stops ? `${state.sequence}:${state.number}` : undefined
  const taken = await takePayment(dependencies, network, {
    account,
    sentBy: first.signed.sentBy,
    cancels,
    step,
  })
  if (typeof taken === 'string') return record(next, { reason: taken })
  // Shown if sending fails.
  await record(next, { reason: 'FAILED' })
  await checkpoint(`message:${step}-paid`)
  try {
    const intent = intentOf(account, first.signed, step)
    const result = await bundler.sendOwn?.({ ...call, intent, isUrgent: cancels !== undefined })
    if (result === 'waiting') await returnToBudgets(database, taken)
  } catch (error) {
    if (areFeesTooHigh(error)) await returnToBudgets(database, taken)
    throw error
  }
  await checkpoint(`message:${step}-sent`)
  await soon(next, { reason: null, sent_at: now() })
}

/** A later attempt may consist of further changes, or of signatures of other guardians: it is for the same message. */
const intentOf = (account: Address, { sequence, hash }: SignedMessage, step: StepName) =>
  step === 'change'
    ? `owners:change:${account.toLowerCase()}:${sequence}`
    : `recovery:${step}:${account.toLowerCase()}:${hash}`

/** What became of a message that can do nothing more. */
function outcomeOn(
  { signed: message, progress }: Step,
  state: OwnershipState,
  known: readonly Message[],
  now: Date,
): Next {
  const done = { state: 'executed', executed_at: progress.executed_at ?? now } as const
  if (isChange(message)) return done
  const isConsumed = state.sequence > message.sequence
  if (!isRecovery(message)) return { state: isConsumed ? 'cancelled' : 'executed' }
  if (!isConsumed) return { state: 'cancelled', executed_at: null }
  const head = (progress.head as Hash | null) ?? message.head // a hash, as it was written
  const result = { sequence: message.sequence, hash: message.target.result }
  const outcome = outcomeOf(result, head, state, known)
  return outcome === 'executed' ? done : { state: 'cancelled', executed_at: null }
}

interface Call {
  readonly to: Address
  readonly data: Hex
}

/** The call that makes the next step; undefined if too few guardians signed for this network. */
async function encode(
  { database }: RunDependencies,
  { network, state, guardians }: GuardianState,
  {
    module,
    wallet,
    signed,
  }: { readonly module: Address; readonly wallet: Wallet; readonly signed: readonly SignedMessage[] },
): Promise<Call | undefined> {
  const changes = signed.filter(isChange)
  if (changes.length > 0) return encodeLog(module, wallet, state.deployed, changes)
  const [message] = signed.filter((one): one is GuardianMessage => !isChange(one))
  if (!message) return undefined
  const { account, hash, sequence, number, target } = message
  if (target && state.recovery?.hash === hash) {
    return encodeExecuteRecovery(target.newOwners, { module, account, newThreshold: target.newThreshold })
  }
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
async function succeeds(network: Network, { to, data }: Call): Promise<boolean> {
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
  {
    step,
    ...payment
  }: Pick<Parameters<typeof takeFromBudgets>[1], 'account' | 'sentBy' | 'cancels'> & {
    readonly step: StepName
  },
) {
  if (!bundler.sendOwn || budget === undefined) return 'NOT_SPONSORED'
  const kind = step === 'change' ? 'change' : 'recovery'
  const day = { kind, network: chainId, budget, now: now() } as const
  return (await takeFromBudgets(database, { ...payment, ...day })) ?? 'BUDGET_SPENT'
}
