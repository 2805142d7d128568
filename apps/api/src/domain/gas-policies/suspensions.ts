import { hostname } from 'node:os'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import { recordAct } from '../../platform/audit/record-act.ts'

/** Hours for which a caller who turned sponsorship into money gets none. */
const suspensionHours = 24

interface Subjects {
  readonly network: number
  readonly account: string
  /** As `budgetCallerOf` returns it; null in rows of an earlier version. */
  readonly builder: string | null
}

const subjectsOf = ({ account, builder }: Omit<Subjects, 'network'>): readonly string[] => [
  `account:${account.toLowerCase()}`,
  ...(builder === null ? [] : [`caller:${builder}`]),
]

/** @throws SPONSORSHIP_SUSPENDED with the reason and the time when it ends */
export async function requireNotSuspended(
  database: Kysely<Database>,
  subjects: Subjects,
  now: Date,
): Promise<void> {
  const suspension = await database
    .selectFrom('sponsorship_suspensions')
    .selectAll()
    .where('network', '=', subjects.network)
    .where('subject', 'in', subjectsOf(subjects))
    .where('until', '>', now)
    .orderBy('until', 'desc')
    .executeTakeFirst()
  if (!suspension) return
  const until = suspension.until.toISOString()
  throw new LanyardError('SPONSORSHIP_SUSPENDED', {
    message: `${suspension.reason} The service pays for no gas of this caller until ${until}. Let the account pay, or ask the operator to end it.`,
    details: { userOpHash: suspension.user_op_hash, resetsAt: until },
  })
}

/** Suspends an account and its caller, and records it in the audit log. A later end replaces an earlier one. */
export async function suspend(
  transaction: Transaction<Database>,
  subjects: Subjects,
  { reason, userOpHash, now }: { readonly reason: string; readonly userOpHash: string; readonly now: Date },
): Promise<void> {
  const { network } = subjects
  const until = new Date(now.getTime() + suspensionHours * 3_600_000)
  await transaction
    .insertInto('sponsorship_suspensions')
    .values(
      subjectsOf(subjects).map((subject) => ({
        ...{ network, subject, reason, user_op_hash: userOpHash, since: now, until },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['network', 'subject']).doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        user_op_hash: eb.ref('excluded.user_op_hash'),
        until: eb.ref('excluded.until'),
      })),
    )
    .execute()
  const after = { network, reason, userOpHash, until: until.toISOString() }
  for (const subject of subjectsOf(subjects)) {
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
