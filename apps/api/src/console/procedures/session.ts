import { LanyardError } from '@lanyard/contracts'
import { z } from 'zod'
import {
  acceptInvitation,
  findInvited,
  invitationOptions,
  signIn,
  signInOptions,
} from '../../domain/operators/operator-passkeys.ts'
import { openSession, revokeSession } from '../../domain/operators/operator-sessions.ts'
import { recordAct } from '../../platform/audit/record-act.ts'
import type { ConsoleContext } from '../console-context.ts'
import { openProcedure, operatorProcedure, router } from '../console-trpc.ts'

const token = z.string().regex(/^[\w-]{43}$/, 'This is not an invitation.')

const binary = z.string().max(100_000)
const registration = z.object({
  id: binary,
  rawId: binary,
  type: z.literal('public-key'),
  response: z.object({
    attestationObject: binary,
    clientDataJSON: binary,
    transports: z.array(z.string()).max(10).optional(),
  }),
})
const assertion = z.object({
  id: binary,
  rawId: binary,
  type: z.literal('public-key'),
  response: z.object({
    authenticatorData: binary,
    clientDataJSON: binary,
    signature: binary,
    userHandle: binary.nullish(),
  }),
})

/** Ceremonies cost signatures and rows, so each address has few of them. */
async function countCeremony({ countCeremony: count, services, address }: ConsoleContext): Promise<void> {
  if (services.env.RATE_LIMITS === 'off') return
  const { refused, reset } = await count(address, 1)
  if (refused) {
    throw new LanyardError('RATE_LIMITED', {
      message: `Too many sign-ins from this address. Try again in ${reset} seconds.`,
    })
  }
}

const ceremony = ({ database, relyingParty, services }: ConsoleContext) => ({
  database,
  relyingParty,
  now: services.now(),
})

export const session = router({
  /** Who is signed in; null for nobody. */
  current: openProcedure.query(({ ctx: { operator } }) =>
    operator
      ? { name: operator.name, role: operator.role, expiresAt: operator.expiresAt.toISOString() }
      : null,
  ),
  /** A mutation, since its token would otherwise be in the query string, which proxies write to their logs. */
  invitation: openProcedure.input(z.object({ token })).mutation(async ({ ctx, input }) => {
    await countCeremony(ctx)
    const { name, role } = await findInvited(ctx.database, input.token, ctx.services.now())
    return { name, role }
  }),
  acceptOptions: openProcedure.input(z.object({ token })).mutation(async ({ ctx, input }) => {
    await countCeremony(ctx)
    return invitationOptions(ceremony(ctx), input.token)
  }),
  accept: openProcedure
    .input(z.object({ token, response: registration }))
    .mutation(async ({ ctx, input }) => {
      await countCeremony(ctx)
      return acceptInvitation(ceremony(ctx), input.token, input.response, async (transaction, operator) => {
        const now = ctx.services.now()
        const { address, userAgent } = ctx
        const opened = await openSession(transaction, { operatorId: operator.id, address, userAgent, now })
        await recordAct(transaction, {
          ...{ actor: `console:${operator.name}`, source: address, act: 'operator.passkey' },
          ...{ subject: operator.name, after: { session: opened.id } },
        })
        ctx.setSession(opened.token)
        return { name: operator.name, role: operator.role }
      })
    }),
  signInOptions: openProcedure.mutation(async ({ ctx }) => {
    await countCeremony(ctx)
    return signInOptions(ceremony(ctx))
  }),
  signIn: openProcedure.input(z.object({ response: assertion })).mutation(async ({ ctx, input }) => {
    await countCeremony(ctx)
    return signIn(ceremony(ctx), input.response, async (transaction, operator) => {
      const now = ctx.services.now()
      const { address, userAgent } = ctx
      const opened = await openSession(transaction, { operatorId: operator.id, address, userAgent, now })
      await recordAct(transaction, {
        ...{ actor: `console:${operator.name}`, source: address, act: 'operator.sign-in' },
        ...{ subject: operator.name, after: { session: opened.id } },
      })
      ctx.setSession(opened.token)
      return { name: operator.name, role: operator.role }
    })
  }),
  signOut: operatorProcedure.mutation(async ({ ctx }) => {
    const { sessionId } = ctx.operator
    await ctx.database
      .transaction()
      .execute((transaction) => revokeSession(transaction, sessionId, ctx.services.now()))
    ctx.setSession(undefined)
    return { signedOut: true }
  }),
})
