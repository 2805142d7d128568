import { LanyardError } from '@lanyard/contracts'
import { type Database, readSuspensions } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { resumeSponsorship } from '../../acts/sponsorships.ts'
import { readSpent } from '../../domain/gas-policies/gas-budgets.ts'
import type { GasPolicy } from '../../domain/gas-policies/gas-policy.ts'
import {
  changedMeanwhile,
  type LivePolicies,
  listOfDraft,
  toDraft,
  writePolicyEdit,
} from '../../domain/gas-policies/live-policies.ts'
import type { Services } from '../../pipeline/services.ts'
import { operatorProcedure, router } from '../console-trpc.ts'
import { runAct } from '../run-act.ts'
import { describePolicyChanges, wordsOf } from '../views/describe-policy-changes.ts'
import { dryRunPolicies } from '../views/dry-run-policies.ts'

/** Days of the usage charts. */
const shownDays = 14

/**
 * Checks a request to change the policies before it waits for a second person, who could only find out that it fails.
 *
 * @throws INVALID_INPUT for a draft with a problem, or one that is based on other policies than those in force
 */
export async function checkPolicyRequest(
  { project }: Pick<Services, 'project'>,
  act: string,
  input: unknown,
): Promise<void> {
  if (act !== 'policies.save' && act !== 'policies.discard') return
  const { text, basedOn } = input as { text?: string; basedOn: number } // the act's schema accepts it
  await project.policies.refresh()
  if (text !== undefined) project.policies.parse(text)
  if (basedOn !== project.policies.number()) throw changedMeanwhile()
}

const outdated = (why: string) => [`${why} So it cannot be approved any more. Reject it.`]

/** What a requested change would change now, in words; undefined for other acts. */
export function describePolicyRequest(
  {
    project: { policies },
    networks,
  }: Pick<Services, 'networks'> & {
    readonly project: Pick<Services['project'], 'policies'>
  },
  act: string,
  input: unknown,
): string[] | undefined {
  if (act !== 'policies.save' && act !== 'policies.discard') return undefined
  const { text, basedOn } = input as { text?: string; basedOn: number } // it was checked when it was requested
  if (basedOn !== policies.number()) return outdated('The policies changed after this request.')
  let next = policies.started
  try {
    if (text !== undefined) next = policies.parse(text)
  } catch (error) {
    // A newer version of the service, or another file, may refuse what was fine then.
    if (error instanceof LanyardError) return outdated(`The draft has a problem now: ${error.message}`)
    throw error
  }
  const changes = describePolicyChanges(policies.list, next, wordsOf(networks))
  return changes.length > 0 ? changes : ['Nothing changes.']
}

const draft = z.string().max(200_000, 'At most 200000 characters')

export const policies = router({
  list: operatorProcedure.query(async ({ ctx: { services, database } }) => {
    const allowing = services.project.policies.list
      .filter(({ effect }) => effect === 'allow')
      .map(({ id }) => id)
    const since = new Date(services.now().getTime() - shownDays * 86_400_000).toISOString().slice(0, 10)
    const [spent, days, suspensions] = await Promise.all([
      readSpent(database, allowing),
      readDays(database, allowing, since),
      readSuspensions(database, services.now()),
    ])
    return {
      /** Without a file, there is only the one of local networks. */
      file: services.env.POLICIES_FILE ?? null,
      ...describeEdit(services.project.policies),
      /** All of them, as an edit begins. */
      draft: toDraft(services.project.policies.list),
      policies: services.project.policies.list.map((policy) => ({
        id: policy.id,
        effect: policy.effect,
        description: policy.description ?? null,
        text: policyText(policy),
        budgets: spent
          .filter((one) => one.policy === policy.id)
          .map(({ network, spent: wei, reserved, promised, operations }) => ({
            ...{ network, operations, spent: String(wei) },
            ...{ reserved: String(reserved), promised: String(promised), limits: limitsOf(policy) },
          })),
        days: days
          .filter(({ budget }) => budget === `policy:${policy.id}`)
          .map(({ day, wei, operations }) => ({ day, wei, operations })),
      })),
      suspensions: suspensions.map(({ network, subject, reason, until, user_op_hash }) => ({
        ...{ network, subject, reason, until: until.toISOString(), hash: user_op_hash },
      })),
    }
  }),
  /** Which policies of a draft would have paid for the last operations. It changes nothing. */
  dryRun: operatorProcedure
    .input(
      z.object({
        text: draft,
        operations: z.int().min(1).max(200).default(100),
        feeToken: z.string().max(64).optional(),
      }),
    )
    .mutation(({ ctx: { services, operator }, input }) =>
      dryRunPolicies(services, { ...input, role: operator.role }),
    ),
  /** Replaces the policies of every process, which read them within seconds. */
  save: operatorProcedure
    .input(z.object({ text: draft, basedOn: z.int().nonnegative() }))
    .mutation(async ({ ctx, input: { text, basedOn } }) => {
      const { project } = ctx.services
      const before = project.policies.list
      const after = project.policies.parse(text)
      const result = await runAct(ctx, async ({ transaction, now, record }) => {
        const number = await writePolicyEdit(transaction, {
          ...{ policies: listOfDraft(text), basedOn, editor: ctx.operator.name, now },
        })
        await record({ act: 'policies.edit', subject: String(number), ...changesOf(before, after) })
        return { number }
      })
      await project.policies.refresh()
      return result
    }),
  /** Returns to POLICIES_FILE. */
  discard: operatorProcedure
    .input(z.object({ basedOn: z.int().positive() }))
    .mutation(async ({ ctx, input: { basedOn } }) => {
      const { project } = ctx.services
      const before = project.policies.list
      const result = await runAct(ctx, async ({ transaction, now, record }) => {
        const number = await writePolicyEdit(transaction, {
          ...{ policies: undefined, basedOn, editor: ctx.operator.name, now },
        })
        await record({
          ...{ act: 'policies.discard', subject: String(number) },
          before: { order: before.map(({ id }) => id) },
        })
        return { number }
      })
      await project.policies.refresh()
      return result
    }),
  /** Ends a suspension from sponsorship, as `lanyard policies resume` does. */
  resume: operatorProcedure
    .input(z.object({ subject: z.string().min(1).max(300) }))
    .mutation(({ ctx, input: { subject } }) =>
      runAct(ctx, async (act) => {
        const networks = await resumeSponsorship(act, subject)
        if (networks === 0) {
          throw new LanyardError('INVALID_INPUT', { message: `${subject} is not suspended any more.` })
        }
        return { networks }
      }),
    ),
})

/** What policies paid by day, on all networks. */
async function readDays(database: Kysely<Database>, policyIds: readonly string[], since: string) {
  if (policyIds.length === 0) return []
  const budgets = policyIds.map((id) => `policy:${id}`)
  return database
    .selectFrom('sponsorship_days')
    .select(['budget', 'day', sql<string>`sum(taken)::text`.as('wei')])
    .select(sql<number>`sum(operations)::int4`.as('operations'))
    .where('budget', 'in', budgets)
    .where('day', '<>', 'total')
    .where('day', '>=', since)
    .groupBy(['budget', 'day'])
    .orderBy('day')
    .execute()
}

function describeEdit({ edit, number }: LivePolicies) {
  const current = edit()
  return {
    /** What an edit is based on. */
    number: number(),
    edit: current ? { editor: current.editor, at: current.at.toISOString() } : null,
  }
}

/** The policies that differ, as drafts have them, and the order of all. */
function changesOf(before: readonly GasPolicy[], after: readonly GasPolicy[]) {
  const others = (policies: readonly GasPolicy[], than: readonly GasPolicy[]) => {
    const known = new Set(than.map((policy) => toDraft([policy])))
    const changed = policies.filter((policy) => !known.has(toDraft([policy])))
    return { order: policies.map(({ id }) => id), changed: listOfDraft(toDraft(changed)) }
  }
  return { before: others(before, after), after: others(after, before) }
}

const limitsOf = (policy: GasPolicy) =>
  policy.effect === 'allow'
    ? {
        day: policy.budgets.day?.wei === undefined ? null : String(policy.budgets.day.wei),
        total: policy.budgets.total?.wei === undefined ? null : String(policy.budgets.total.wei),
      }
    : { day: null, total: null }

/** As the service read it: functions as selectors, and of an external paymaster only its host. */
const policyText = (policy: GasPolicy): string =>
  JSON.stringify(
    policy,
    (key, value: unknown) => {
      if (typeof value === 'bigint') return value.toString()
      if (value instanceof Set) return [...value]
      if (key === 'context') return undefined // may hold a key of the paymaster's provider
      return key === 'url' && typeof value === 'string' ? new URL(value).host : value
    },
    2,
  )
