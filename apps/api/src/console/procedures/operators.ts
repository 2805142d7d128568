import { LanyardError } from '@lanyard/contracts'
import { z } from 'zod'
import { changeRole, confirmPasskey, disableOperator, inviteOperator } from '../../acts/operators.ts'
import { invitationLink } from '../../domain/operators/invitation-link.ts'
import { hasPasskey, listOperators } from '../../domain/operators/manage-operators.ts'
import { fingerprint, fingerprintText } from '../../domain/operators/operator-passkeys.ts'
import { operatorName, operatorRoles } from '../../domain/operators/operator-roles.ts'
import { listSessions, revokeSession } from '../../domain/operators/operator-sessions.ts'
import { operatorProcedure, router } from '../console-trpc.ts'
import { runAct } from '../run-act.ts'

const name = z
  .string()
  .refine((text) => operatorName.test(text), 'Expected letters, digits, ".", "_" and "-".')
const role = z.enum(operatorRoles)

const unknown = (operator: string) =>
  new LanyardError('INVALID_INPUT', { message: `There is no active operator ${operator}.` })

export const operators = router({
  list: operatorProcedure.query(async ({ ctx: { database, services } }) => {
    const now = services.now()
    const [people, sessions] = await Promise.all([listOperators(database, now), listSessions(database, now)])
    return {
      operators: people.map((person) => ({
        ...{ name: person.name, role: person.role, passkeys: person.passkeys, sessions: person.sessions },
        ...{ issuer: person.issuer, isBreakGlass: person.break_glass },
        waitingPasskey: person.waiting === null ? null : fingerprint(person.waiting),
        createdAt: person.created_at.toISOString(),
        disabledAt: person.disabled_at?.toISOString() ?? null,
      })),
      sessions: sessions.map((session) => ({
        ...{ id: session.id, operator: session.operator, address: session.address },
        userAgent: session.user_agent,
        createdAt: session.created_at.toISOString(),
        lastSeenAt: session.last_seen_at.toISOString(),
      })),
    }
  }),
  invite: operatorProcedure.input(z.object({ name, role })).mutation(({ ctx, input }) =>
    runAct(ctx, async (act) => {
      if (input.name !== ctx.operator.name && (await hasPasskey(act.transaction, input.name))) {
        throw new LanyardError('INVALID_INPUT', {
          message: `${input.name} has a passkey, and whoever has the link would act in that name. ${input.name} can invite a second device after signing in; for a lost one, run \`lanyard operators invite ${input.name}\` on the machine.`,
        })
      }
      const invitation = await inviteOperator(act, input)
      if (!invitation) throw unknown(input.name)
      const { operator, token, expiresAt } = invitation
      const origin = ctx.relyingParty.origins[0] ?? ''
      return { link: invitationLink(origin, token), role: operator.role, expiresAt: expiresAt.toISOString() }
    }),
  ),
  changeRole: operatorProcedure.input(z.object({ name, role })).mutation(({ ctx, input }) =>
    runAct(ctx, async (act) => {
      if (input.name === ctx.operator.name) {
        throw new LanyardError('INVALID_INPUT', {
          message:
            'Nobody changes their own role here: another administrator or `lanyard operators role` does.',
        })
      }
      if (!(await changeRole(act, input))) throw unknown(input.name)
      return { role: input.role }
    }),
  ),
  disable: operatorProcedure.input(z.object({ name })).mutation(({ ctx, input }) =>
    runAct(ctx, async (act) => {
      if (input.name === ctx.operator.name) {
        throw new LanyardError('INVALID_INPUT', {
          message:
            'Nobody disables themselves here: another administrator or `lanyard operators disable` does.',
        })
      }
      if (!(await disableOperator(act, input.name))) throw unknown(input.name)
      return { disabled: true }
    }),
  ),
  /** Vouches for the first passkey of a person of the identity provider, after asking them which it is. */
  confirmPasskey: operatorProcedure
    .input(
      z.object({
        name,
        passkey: fingerprintText,
      }),
    )
    .mutation(({ ctx, input: { name: person, passkey } }) =>
      runAct(ctx, async (act) => {
        if (person === ctx.operator.name) {
          throw new LanyardError('INVALID_INPUT', {
            message:
              'Nobody confirms their own passkey: another administrator or `lanyard operators confirm` does.',
          })
        }
        if (!(await confirmPasskey(act, { name: person, passkey }))) {
          throw new LanyardError('INVALID_INPUT', {
            message: `No such passkey of ${person} waits any more. One waits for a day, and only the last one that they added.`,
          })
        }
        return { confirmed: true }
      }),
    ),
  revokeSession: operatorProcedure
    .input(z.object({ id: z.string().regex(/^ses_[\w-]{8}$/) }))
    .mutation(({ ctx, input: { id } }) =>
      runAct(ctx, async ({ transaction, now, record }) => {
        const owner = await revokeSession(transaction, id, now)
        if (owner === undefined) {
          throw new LanyardError('INVALID_INPUT', { message: 'This session has ended already.' })
        }
        await record({ act: 'operator.session-revoke', subject: id })
        return { revoked: true }
      }),
    ),
})
