import { hostname } from 'node:os'
import { LanyardError } from '@lanyard/contracts'
import { type Database, hasPaid } from '@lanyard/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import { recordAct } from '../../platform/audit/record-act.ts'

/** Milliseconds for which an account that turned sponsorship into money gets none. */
const accountPenalty = 24 * 3_600_000

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

const penaltiesOf = ({
  account,
  builder,
}: Omit<Subjects, 'network'>): { readonly subject: string; readonly penalty: number }[] => [
  { subject: accountSubject({ account }), penalty: accountPenalty },
  ...(builder === null ? [] : [{ subject: `caller:${builder}`, penalty: callerPenalty }]),
]

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
  const suspension = await database
    .selectFrom('sponsorship_suspensions')
    .selectAll()
    .where('network', '=', subjects.network)
    .where(
      'subject',
      'in',
      penaltiesOf(subjects).map(({ subject }) => subject),
    )
    .where('until', '>', now)
    .where((eb) =>
      eb.or([
        eb('subject', '=', accountSubject(subjects)),
        eb.and([
          eb.not(
            eb.exists(
              eb
                .selectFrom('accounts')
                .select('address')
                .where('address', '=', subjects.account.toLowerCase())
                .whereRef('created_at', '<', 'since'),
            ),
          ),
          eb.not(hasPaid(sql.lit(subjects.network), sql.val(subjects.account.toLowerCase()))),
        ]),
      ]),
    )
    .orderBy('until', 'desc')
    .executeTakeFirst()
  if (!suspension) return
  const until = suspension.until.toISOString()
  throw new LanyardError('SPONSORSHIP_SUSPENDED', {
    message: `${suspension.reason} The service pays for no gas of ${suspension.subject === accountSubject(subjects) ? 'this account' : 'new accounts of this caller'} until ${until}. Let the account pay, or ask the operator to end it.`,
    details: { userOpHash: suspension.user_op_hash, resetsAt: until },
  })
}

/**
 * Suspends an account, and its caller's new accounts, and records it in the audit log. A later end replaces an earlier one,
 * and the accounts that count as new stay those since the first of them.
 */
export async function suspend(
  transaction: Transaction<Database>,
  subjects: Subjects,
  { reason, userOpHash, now }: { readonly reason: string; readonly userOpHash: string; readonly now: Date },
): Promise<void> {
  const { network } = subjects
  const rows = penaltiesOf(subjects).map(({ subject, penalty }) => ({
    ...{ network, subject, reason, user_op_hash: userOpHash, since: now },
    until: new Date(now.getTime() + penalty),
  }))
  await transaction
    .insertInto('sponsorship_suspensions')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['network', 'subject']).doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        user_op_hash: eb.ref('excluded.user_op_hash'),
        since: sql<Date>`case when ${eb.ref('sponsorship_suspensions.until')} > ${now}::timestamptz
          then ${eb.ref('sponsorship_suspensions.since')} else ${eb.ref('excluded.since')} end`,
        until: eb.ref('excluded.until'),
      })),
    )
    .execute()
  for (const { subject, until } of rows) {
    const after = { network, reason, userOpHash, until: until.toISOString() }
    await recordAct(transaction, {
      ...{ actor: 'service:worker', source: hostname(), act: 'sponsorship.suspend', subject, after },
    })
  }
}

/** Suspensions that have not ended, the latest first. */
export const readSuspensions = (database: Kysely<Database>, now: Date) =>
  database
    .selectFrom('sponsorship_suspensions')
    .selectAll()
    .where('until', '>', now)
    .orderBy('since', 'desc')
    .execute()

/** @returns the number of networks on which the subject was suspended */
export async function endSuspension(database: Kysely<Database>, subject: string): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('sponsorship_suspensions')
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
