import type { Bundler } from '@lanyard/bundler'
import { type Database, findAccount, nextAttempt } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type Address, getAddress, stringToHex } from 'viem'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { toWallet } from '../../accounts/accounts/wallet.ts'
import { encodeLog } from './accept-change.ts'
import { isTooDear, returnToBudgets, type Taken, takeFromBudgets } from './change-budget.ts'
import { type OwnershipOn, readOwnership } from './read-ownership.ts'
import {
  findDueAccounts,
  listProgress,
  listSignedChanges,
  type Progress,
  recordProgress,
  type SignedChange,
} from './signed-change.ts'

/** Accounts in one pass, and changes in one transaction. */
const maxAccounts = 10
const maxChanges = 8

/** How rows name the kind that does nothing but end a recovery. */
const cancelKind = stringToHex('cancel', { size: 32 })

/** Milliseconds between attempts, doubled each time. */
const backoff = { initial: 10_000, max: 3_600_000 } as const

/** Milliseconds between looks at a change that was sent, or is in a block that a reorg can remove. */
const lookAgain = ({ config }: Network) => (config.local ? 2_000 : 15_000)

/** Milliseconds after which a change that was sent and is in no block is sent again. */
const resendAfter = 300_000

export interface ApplyDependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
  /** Transactions that the service pays for in a day, for one caller; undefined: none on this network. */
  readonly budget: number | undefined
  readonly bundler: Pick<Bundler, 'sendOwn'>
}

/** Whether a network has changes to apply or to check; reads only the database. */
export const hasDueChanges = async (
  { database, now }: Pick<ApplyDependencies, 'database' | 'now'>,
  { chainId }: Pick<Network, 'chainId'>,
) => (await findDueAccounts(database, chainId, { now: now(), limit: 1 })).length > 0

/**
 * Applies the signed changes that a network does not have yet, in their order, and checks those that it has. The chain's
 * sequence decides what is left, so a crash, a reorg or somebody else's transaction changes nothing but the next step.
 */
export async function applyDueChanges(
  dependencies: ApplyDependencies,
  network: Network,
  module: Address,
): Promise<void> {
  const { database, now, log } = dependencies
  const { chainId } = network
  for (const account of await findDueAccounts(database, chainId, { now: now(), limit: maxAccounts })) {
    try {
      await applyOn(dependencies, network, module, getAddress(account))
    } catch (error) {
      log.warn(
        { err: error, network: chainId, account },
        'could not apply an owner change; it will be retried',
      )
    }
  }
}

/** A change with how far the network is. */
interface Step {
  readonly change: SignedChange
  readonly progress: Omit<Progress, 'account'>
}

async function applyOn(
  dependencies: ApplyDependencies,
  network: Network,
  module: Address,
  account: Address,
): Promise<void> {
  const { database, now } = dependencies
  const row = await findAccount(database, account)
  if (!row) return
  const wallet = toWallet(row)
  const steps = await readSteps(dependencies, network, account)
  const record = (step: Step, next: Partial<Step['progress']>) =>
    recordProgress(database, account, { ...step.progress, ...next })
  const postpone = async (some: readonly Step[], next: Partial<Step['progress']>) => {
    for (const step of some) {
      const attempts = step.progress.attempts + 1
      const next_attempt_at = nextAttempt(attempts - 1, now(), backoff)
      await record(step, { ...next, attempts, next_attempt_at })
    }
  }
  const wait = (some: readonly Step[], reason: string) => postpone(some, { state: 'pending', reason })

  // Written before anything is asked or sent: whatever happens then, the next attempt comes later.
  await postpone(steps, {})
  const state = await readOwnership(network, module, wallet)
  await confirm(network, module, wallet, { steps, state, now: now(), record })

  const waiting = steps.filter(({ change }) => change.sequence >= state.sequence)
  const next = waiting
    .filter(({ change }, index) => change.sequence === state.sequence + BigInt(index))
    .slice(0, maxChanges)
  const [first] = next
  if (!first) return wait(waiting, 'WAITING')
  if (!state.enabled) return wait(waiting, 'NOT_ENABLED')
  const { sent_at: sentAt } = first.progress
  if (sentAt && now().getTime() - sentAt.getTime() < resendAfter) {
    const soon = new Date(now().getTime() + lookAgain(network))
    for (const step of waiting) await record(step, { state: 'pending', reason: null, next_attempt_at: soon })
    return
  }
  // Each change ends a recovery that runs, and only a cancellation does nothing else. What comes after it can wait.
  const cancelAt = next.findIndex(({ change }) => change.kind === cancelKind)
  const cancels = state.recovery && cancelAt !== -1 ? `${state.sequence}:${state.number}` : undefined
  const bundled = cancels === undefined ? next : next.slice(0, cancelAt + 1)
  const taken = await takePayment(dependencies, network, { account, sentBy: first.change.sentBy, cancels })
  if (typeof taken === 'string') return wait(waiting, taken)

  // Shown if sending fails.
  await wait(bundled, 'FAILED')
  const call = encodeLog(
    module,
    wallet,
    state.deployed,
    bundled.map(({ change }) => change),
  )
  try {
    const result = await dependencies.bundler.sendOwn?.({
      ...{ ...call, intent: intentOf(account, first.change), isUrgent: cancels !== undefined },
    })
    if (result === 'waiting') await returnToBudgets(database, taken)
  } catch (error) {
    if (isTooDear(error)) await returnToBudgets(database, taken)
    throw error
  }
  const sent = { attempts: 0, reason: null, state: 'pending', sent_at: now() } as const
  for (const step of bundled) {
    await record(step, { ...sent, next_attempt_at: new Date(now().getTime() + lookAgain(network)) })
  }
}

/** A later attempt may apply further changes. The first one of them is still the same. */
const intentOf = (account: Address, { sequence }: SignedChange) =>
  `owners:change:${account.toLowerCase()}:${sequence}`

/** The changes that are not final on this network, by sequence. */
async function readSteps(
  { database, now }: ApplyDependencies,
  { chainId }: Network,
  account: Address,
): Promise<readonly Step[]> {
  const [changes, progress] = await Promise.all([
    listSignedChanges(database, account),
    listProgress(database, account),
  ])
  return changes
    .map((change) => ({
      change,
      progress: progress.find(
        ({ network, sequence }) => network === chainId && sequence === change.sequence,
      ) ?? {
        ...{ sequence: change.sequence, network: chainId, state: 'pending' as const },
        ...{ reason: null, attempts: 0, next_attempt_at: now(), sent_at: null, applied_at: null },
      },
    }))
    .filter((step) => step.progress.state !== 'final')
}

/** Records which changes the chain has, and which of them no reorg can remove. */
async function confirm(
  network: Network,
  module: Address,
  wallet: Wallet,
  context: {
    readonly steps: readonly Step[]
    readonly state: OwnershipOn
    readonly now: Date
    readonly record: (step: Step, next: Partial<Step['progress']>) => Promise<void>
  },
): Promise<void> {
  const { steps, state, now, record } = context
  const applied = steps.filter(({ change }) => change.sequence < state.sequence)
  if (applied.length === 0) return
  const final = await readOwnership(network, module, wallet, await network.finalizedBlock())
  for (const step of applied) {
    await record(step, {
      state: step.change.sequence < final.sequence ? 'final' : 'applied',
      ...{ reason: null, attempts: 0, next_attempt_at: new Date(now.getTime() + lookAgain(network)) },
      applied_at: step.progress.applied_at ?? now,
    })
  }
}

/** Takes a transaction out of the budgets; returns why the service does not pay for it otherwise. */
async function takePayment(
  { database, now, budget, bundler }: ApplyDependencies,
  { chainId }: Network,
  payment: Pick<Parameters<typeof takeFromBudgets>[1], 'account' | 'sentBy' | 'cancels'>,
): Promise<Taken | 'NOT_SPONSORED' | 'BUDGET_SPENT'> {
  if (!bundler.sendOwn || budget === undefined) return 'NOT_SPONSORED'
  const day = { kind: 'change', network: chainId, budget, now: now() } as const
  return (await takeFromBudgets(database, { ...payment, ...day })) ?? 'BUDGET_SPENT'
}
