import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type Address, getAddress } from 'viem'
import { findWallet } from '../../accounts/accounts/wallet.ts'
import { readGuarded } from '../recovery/guardian-sets.ts'
import { assessGuardians } from './assess-guardian.ts'
import { setGuardiansKind } from './guardian-check-due.ts'
import { rememberGuardian } from './prove-guardian.ts'

/** Accounts in one pass. */
const maxAccounts = 10

/**
 * Milliseconds until the guardians of an account are checked again: as a rule, after a check that failed, and while the
 * networks get the guardians that an owner has just signed.
 */
const interval = { usual: 24 * 60 * 60_000, failed: 60 * 60_000, unsettled: 60_000 } as const

/** Milliseconds after which networks that still differ are no reason to check more often. */
const settlingTime = 60 * 60_000

export interface GuardianWatchDependencies {
  readonly database: Kysely<Database>
  readonly networks: Networks
  readonly now: () => Date
  readonly log: Logger
}

/** Whether the guardians of an account are to be checked; reads only the database. */
export const hasDueGuardians = async (dependencies: Pick<GuardianWatchDependencies, 'database' | 'now'>) =>
  (await findDue(dependencies, 1)).length > 0

/**
 * Checks once a day whether each guardian in force could sign a recovery, on each network where they count. What changed is
 * an event (`guardian.unable`, `guardian.able`): a guardian who cannot sign is found while the owner can still name another.
 */
export async function checkDueGuardians(
  dependencies: GuardianWatchDependencies,
  module: Address,
): Promise<void> {
  const { log } = dependencies
  for (const account of await findDue(dependencies, maxAccounts)) {
    // Written before anything is asked: a check that fails does not come again at once.
    const until = new Date(dependencies.now().getTime() + interval.failed)
    await postpone(dependencies, account, until)
    let checked: Awaited<ReturnType<typeof checkAccount>>
    try {
      checked = await checkAccount(dependencies, module, account)
    } catch (error) {
      log.warn({ err: error, account }, 'could not check the guardians of an account; it will be retried')
      continue
    }
    const isSettling = !checked.isSettled && (await wereGuardiansSet(dependencies, account))
    if (!checked.hasGuardians && !isSettling) {
      await forget(dependencies, account, until)
      continue
    }
    const next = dependencies.now().getTime() + (isSettling ? interval.unsettled : interval.usual)
    // A proof that came meanwhile made the account due again, and it stays due.
    await postpone(dependencies, account, new Date(next), until)
  }
}

/** Whether an owner signed guardians a short time ago. */
async function wereGuardiansSet(
  { database, now }: Pick<GuardianWatchDependencies, 'database' | 'now'>,
  account: Address,
): Promise<boolean> {
  const row = await database
    .selectFrom('owner_changes')
    .select('sequence')
    .where('account', '=', account.toLowerCase())
    .where('kind', '=', setGuardiansKind)
    .where('created_at', '>', new Date(now().getTime() - settlingTime))
    .executeTakeFirst()
  return row !== undefined
}

/** An account without guardians is not looked at again before an owner names some. */
async function forget(
  { database }: Pick<GuardianWatchDependencies, 'database'>,
  account: Address,
  expected: Date,
): Promise<void> {
  await database
    .deleteFrom('guardian_watches')
    .where('account', '=', account.toLowerCase())
    .where('next_check_at', '=', expected)
    .execute()
}

async function findDue(
  { database, now }: Pick<GuardianWatchDependencies, 'database' | 'now'>,
  limit: number,
): Promise<readonly Address[]> {
  const rows = await database
    .selectFrom('guardian_watches')
    .select('account')
    .where('next_check_at', '<=', now())
    .orderBy('next_check_at')
    .limit(limit)
    .execute()
  return rows.map(({ account }) => getAddress(account))
}

/** @param expected - the time that the row must still have; undefined: any */
async function postpone(
  { database }: Pick<GuardianWatchDependencies, 'database'>,
  account: Address,
  next: Date,
  expected?: Date,
): Promise<void> {
  await database
    .updateTable('guardian_watches')
    .set({ next_check_at: next })
    .where('account', '=', account.toLowerCase())
    .$if(expected !== undefined, (query) => query.where('next_check_at', '=', expected ?? next))
    .execute()
}

interface FoundProblem {
  readonly guardian: string
  readonly network: number
  readonly problem: string
}

async function checkAccount(
  { database, networks, log }: GuardianWatchDependencies,
  module: Address,
  account: Address,
): Promise<{ readonly isSettled: boolean; readonly hasGuardians: boolean }> {
  const services = { database, networks }
  const wallet = await findWallet(database, account)
  const guarded = await readGuarded(services, module, wallet)
  const members = new Set(guarded.flatMap(({ guardians }) => guardians?.members ?? []))
  const assessed = await assessGuardians(services, { wallet, module }, [...members])
  for (const { guardian, key } of assessed) {
    // The user of a passkey that is removed later is known from here.
    if (key) await rememberGuardian(database, { account, guardian, key, provenAt: undefined })
  }
  const answered = guarded.map(({ network }) => network.chainId)
  const isGuardianOn = (guardian: Address, chainId: number) =>
    guarded.some(
      ({ network, guardians }) => network.chainId === chainId && guardians?.members.includes(guardian),
    )
  // The module keeps guardians, and does nothing for an account that has disabled it.
  const isDisabled = (chainId: number) =>
    guarded.some(({ network, state }) => network.chainId === chainId && !state.enabled)
  const problems: FoundProblem[] = assessed.flatMap(({ guardian, networks: on }) =>
    on.flatMap((one) =>
      one.status === 'up' && one.problem && isGuardianOn(guardian, one.network) && !isDisabled(one.network)
        ? [{ guardian, network: one.network, problem: one.problem }]
        : [],
    ),
  )
  for (const { network, state, guardians } of guarded) {
    if (state.enabled) continue
    for (const guardian of guardians?.members ?? [])
      problems.push({ guardian, network: network.chainId, problem: 'NOT_ENABLED' })
  }
  await replaceProblems(database, { account, answered, problems })
  if (problems.length > 0)
    log.info({ account, problems: problems.length }, 'guardians cannot sign for an account')
  return {
    isSettled: members.size > 0 && new Set(guarded.map(({ state }) => state.guardians)).size === 1,
    hasGuardians: members.size > 0,
  }
}

/** One transaction: the trigger writes an event for each problem that is new or gone. */
async function replaceProblems(
  database: Kysely<Database>,
  {
    account,
    answered,
    problems,
  }: {
    readonly account: Address
    readonly answered: readonly number[]
    readonly problems: readonly FoundProblem[]
  },
): Promise<void> {
  const key = account.toLowerCase()
  await database.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('guardian_problems')
      .selectAll()
      .where('account', '=', key)
      .forUpdate()
      .execute()
    for (const { guardian, network } of before) {
      const isLeft = problems.some((one) => one.guardian === guardian && one.network === network)
      if (isLeft || !answered.includes(network)) continue
      await transaction
        .deleteFrom('guardian_problems')
        .where('account', '=', key)
        .where('guardian', '=', guardian)
        .where('network', '=', network)
        .execute()
    }
    for (const problem of problems) {
      await transaction
        .insertInto('guardian_problems')
        .values({ account: key, ...problem })
        .onConflict((conflict) =>
          conflict.columns(['account', 'guardian', 'network']).doUpdateSet({ problem: problem.problem }),
        )
        .execute()
    }
  })
}
