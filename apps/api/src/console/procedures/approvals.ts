import { LanyardError } from '@lanyard/contracts'
import { z } from 'zod'
import type { MadeSecret } from '../../acts/act.ts'
import { newKeyText } from '../../domain/accounts/api-keys/key-text.ts'
import {
  expireApprovals,
  findWaiting,
  listApprovals,
  rejectApproval,
  requestApproval,
  withdrawApproval,
} from '../../domain/operators/approvals.ts'
import { invitationLink } from '../../domain/operators/invitation-link.ts'
import { confirmationOptions } from '../../domain/operators/operator-passkeys.ts'
import { includesRole } from '../../domain/operators/operator-roles.ts'
import type { SignedInOperator } from '../../domain/operators/operator-sessions.ts'
import { hashToken, newToken } from '../../domain/operators/secret-token.ts'
import { assertAdmitted, assertConfirmed, operatorProcedure, roleFor, router } from '../console-trpc.ts'
import { countCeremony } from '../count-ceremony.ts'
import {
  addPasskeyAct,
  hashAct,
  isConfirmedAct,
  mayActAlone,
  needsSecondPerson,
  purposeOf,
} from '../guarded-acts.ts'
import { runAct } from '../run-act.ts'
import { escapeInvisible } from '../views/escape-invisible.ts'
import { checkPolicyRequest, describePolicyRequest } from './policies.ts'

const requestId = z.string().regex(/^apr_[\w-]{12}$/, 'Expected the id of a request: apr_…')

const guardedAct = z.object({
  act: z
    .string()
    .refine((act) => isConfirmedAct(act) || act === addPasskeyAct, 'This act needs no confirmation.'),
  input: z.json(),
})

/** Acts that wait for a second person, and the passkey that confirms each act. */
export const approvals = router({
  /** What the passkey signs for an act, and whether the act then waits for a second person. */
  confirmation: operatorProcedure.input(guardedAct).mutation(async ({ ctx, input: { act, input } }) => {
    const { database, relyingParty, services, operator } = ctx
    assertAdmitted(operator.role, act, input)
    await countCeremony(ctx)
    const purpose = purposeOf(operator, act, input)
    const options = await confirmationOptions(
      { database, relyingParty, now: services.now() },
      operator.id,
      purpose,
    )
    if (!options) {
      throw new LanyardError('VERIFICATION_FAILED', {
        message:
          'This needs a passkey of yours. Add one; if it is your first, an administrator then confirms it.',
      })
    }
    const needsSecond = needsSecondPerson(services.env, act, input) && !mayActAlone(services.env, operator)
    return { options, needsSecond }
  }),
  /** Requests an act that a second person must approve. A secret is made now, shown once, and works from the approval on. */
  request: operatorProcedure.input(guardedAct).mutation(async ({ ctx, input: { act, input } }) => {
    assertAdmitted(ctx.operator.role, act, input)
    if (!needsSecondPerson(ctx.services.env, act, input)) {
      throw new LanyardError('INVALID_INPUT', { message: 'This act needs no approval. Do it directly.' })
    }
    await ctx.acts.check(act, input)
    await checkPolicyRequest(ctx.services, act, input)
    await assertConfirmed(ctx, act, input)
    const { made, secret } = makeSecret(act, input, ctx.relyingParty.origins[0] ?? '')
    const { operator, address } = ctx
    const hash = hashAct(act, input)
    const { id, expires_at } = await runAct(ctx, async ({ transaction, now, record }) => {
      const requested = await requestApproval(transaction, {
        ...{ act, input, hash, address, made, operatorId: operator.id, now },
      })
      await record({ act: 'approval.request', subject: requested.id, after: { act, hash, input } })
      return requested
    })
    return { id, expiresAt: expires_at.toISOString(), secret }
  }),
  list: operatorProcedure.query(async ({ ctx: { database, services, operator } }) => {
    await expireApprovals(database, services.now())
    await services.project.policies.refresh()
    return {
      requests: (await listApprovals(database)).map((row) => {
        const isMine = row.requested_by === operator.id
        const isWaiting = row.state === 'waiting'
        const needed = roleFor(row.act, row.input)
        const mayReject = isWaiting && !isMine && needed !== undefined && includesRole(operator.role, needed)
        const changes = isWaiting
          ? describePolicyRequest(services, row.act, row.input)?.map(escapeInvisible)
          : undefined
        return {
          ...{ id: row.id, act: row.act, input: legible(row.input), hash: row.hash },
          /** In words; null if the input says it all, or the request has ended. */
          changes: changes ?? null,
          ...{ state: row.state, requester: row.requester, decider: row.decider, isMine },
          requestedAt: row.requested_at.toISOString(),
          expiresAt: row.expires_at.toISOString(),
          decidedAt: row.decided_at?.toISOString() ?? null,
          mayReject,
          mayApprove: mayReject && isOfOneHouse(row, operator),
        }
      }),
    }
  }),
  /** Does what was requested, as it was requested, in one transaction with the approval. */
  approve: operatorProcedure
    .input(z.object({ id: requestId, hash: z.string().length(64) }))
    .mutation(async ({ ctx, input: { id, hash } }) => {
      const { database, services, operator } = ctx
      const waiting = await findWaiting(database, id, services.now())
      if (waiting.requested_by === operator.id) throw ownRequest()
      if (waiting.hash !== hash || hashAct(waiting.act, waiting.input) !== hash) {
        throw new LanyardError('INVALID_INPUT', {
          message: 'The request is not the one that you saw. Load it again. Nothing was done.',
        })
      }
      assertAdmitted(operator.role, waiting.act, waiting.input)
      const requester = await database
        .selectFrom('operators')
        .leftJoin('operator_identities as person', 'person.operator_id', 'operators.id')
        .select(['operators.id', 'name', 'role', 'break_glass', 'issuer', 'subject'])
        .where('operators.id', '=', waiting.requested_by)
        .executeTakeFirstOrThrow()
      const { issuer, subject } = requester
      if (!isOfOneHouse(requester, operator)) throw ofOtherHouse(requester.name)
      await ctx.acts.run(
        {
          ...ctx,
          operator: {
            ...{ id: requester.id, name: requester.name, role: requester.role, sessionId: '' },
            ...{ address: waiting.address, expiresAt: waiting.expires_at, proof: undefined },
            isBreakGlass: requester.break_glass,
            identity: issuer === null || subject === null ? undefined : { issuer, subject },
          },
          approval: {
            ...{ id, act: waiting.act, hash, approver: operator },
            made: (waiting.made ?? undefined) as MadeSecret | undefined, // written by `request`
          },
        },
        waiting.act,
        waiting.input,
      )
      return { approved: true }
    }),
  /** Refuses a request. It needs no passkey: it starts nothing. */
  reject: operatorProcedure.input(z.object({ id: requestId })).mutation(async ({ ctx, input: { id } }) => {
    const waiting = await findWaiting(ctx.database, id, ctx.services.now())
    if (waiting.requested_by === ctx.operator.id) throw ownRequest()
    assertAdmitted(ctx.operator.role, waiting.act, waiting.input)
    return runAct(ctx, async ({ transaction, now, record }) => {
      await rejectApproval(transaction, { id, by: ctx.operator.id, now })
      await record({ act: 'approval.reject', subject: id, after: { act: waiting.act, hash: waiting.hash } })
      return { rejected: true }
    })
  }),
  /** By its requester. */
  withdraw: operatorProcedure.input(z.object({ id: requestId })).mutation(({ ctx, input: { id } }) =>
    runAct(ctx, async ({ transaction, now, record }) => {
      await withdrawApproval(transaction, { id, by: ctx.operator.id, now })
      await record({ act: 'approval.withdraw', subject: id })
      return { withdrawn: true }
    }),
  ),
})

/**
 * Whether two operators are persons of one provider, or both of this house. One human may be an operator of this house and a person
 * of the provider, and would otherwise be their own second person; within one of them, each human is one operator.
 */
const isOfOneHouse = (
  requester: { readonly issuer: string | null },
  { identity }: Pick<SignedInOperator, 'identity'>,
): boolean => requester.issuer === (identity?.issuer ?? null)

const ofOtherHouse = (requester: string) =>
  new LanyardError('FORBIDDEN', {
    message: `${requester} signs in elsewhere than you do, so the two of you could be one person. An operator who signs in like ${requester} must approve this; you can reject it.`,
  })

/**
 * JSON in which nothing hides: invisible characters and those that turn the direction of a text are escapes, so that what a person
 * reads is what is done.
 */
const legible = (input: unknown): string => escapeInvisible(JSON.stringify(input, null, 2))

const ownRequest = () =>
  new LanyardError('FORBIDDEN', {
    message: 'You requested this yourself. Another operator decides; you can withdraw it.',
  })

/** The secret of an act that makes one, and what the database keeps of it until the approval. */
function makeSecret(
  act: string,
  input: unknown,
  origin: string,
): { readonly made?: MadeSecret; readonly secret: string | null } {
  if (act === 'keys.create') {
    const { kind } = input as { kind: Parameters<typeof newKeyText>[0] } // it was checked
    const { id, hash, key } = newKeyText(kind)
    return { made: { id, hash }, secret: key }
  }
  if (act === 'operators.invite') {
    const token = newToken()
    return { made: { id: '', hash: hashToken(token) }, secret: invitationLink(origin, token) }
  }
  return { secret: null }
}
