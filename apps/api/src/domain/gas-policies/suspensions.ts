import { hostname } from 'node:os'
import { LanyardError } from '@lanyard/contracts'
import { type Database, findSuspension, writeSuspensions } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import { recordAct } from '../../platform/audit/record-act.ts'
import type { Suspension } from '../../platform/metrics/label-values.ts'

/** Milliseconds for which an account that turned sponsorship into money gets none, or did not pay in a token. */
const accountPenalty = { foreign: 24 * 3_600_000, idle: 24 * 3_600_000, unpaid: 3_600_000 }

/**
 * Milliseconds for which new accounts of its caller get none. Many people may call from one address: accounts that are
 * older, or that have paid for an operation themselves, go on.
 */
const callerPenalty = 3_600_000

interface Subjects {
  readonly network: number
  readonly account: string
  /** As `budgetCallerOf` returns it; null in rows of an earlier version. */
  readonly builder: string | null
}

const accountSubject = ({ account }: Pick<Subjects, 'account'>) => `account:${account.toLowerCase()}`

const callerSubjects = ({ builder }: Pick<Subjects, 'builder'>): readonly string[] =>
  builder === null ? [] : [`caller:${builder}`]

/**
 * Requires that neither the account is suspended, nor its caller while the account is new.
 *
 * @throws SPONSORSHIP_SUSPENDED with the reason and the time when it ends
 */
export async function requireNotSuspended(
  database: Kysely<Database>,
  subjects: Subjects,
  now: Date,
): Promise<void> {
  const subject = accountSubject(subjects)
  const suspension = await findSuspension(database, {
    ...{ network: subjects.network, account: subjects.account.toLowerCase(), subject, now },
    ofNewAccounts: [subject, ...callerSubjects(subjects)],
  })
  if (!suspension) return
  const until = suspension.until.toISOString()
  throw new LanyardError('SPONSORSHIP_SUSPENDED', {
    message: `${suspension.reason} The service pays for no gas of ${suspension.subject === subject ? 'this account' : 'new accounts of this caller'} until ${until}. Let the account pay, or ask the operator to end it.`,
    details: { userOpHash: suspension.user_op_hash, resetsAt: until },
  })
}

/** Suspends an account, and its caller's new accounts, and records it in the audit log. */
export async function suspend(
  transaction: Transaction<Database>,
  subjects: Subjects,
  {
    verdict,
    reason,
    userOpHash,
    now,
  }: {
    readonly verdict: Suspension
    readonly reason: string
    readonly userOpHash: string
    readonly now: Date
  },
): Promise<void> {
  const { network } = subjects
  const penalties = [
    [accountSubject(subjects), accountPenalty[verdict]] as const,
    ...callerSubjects(subjects).map((subject) => [subject, callerPenalty] as const),
  ]
  const rows = penalties.map(([subject, penalty]) => ({
    ...{ network, subject, reason, user_op_hash: userOpHash, since: now },
    until: new Date(now.getTime() + penalty),
  }))
  await writeSuspensions(transaction, rows)
  for (const { subject, until } of rows) {
    const after = { network, reason, userOpHash, until: until.toISOString() }
    await recordAct(transaction, {
      ...{ actor: 'service:worker', source: hostname(), act: 'sponsorship.suspend', subject, after },
    })
  }
}
