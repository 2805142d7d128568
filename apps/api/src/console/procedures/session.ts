import { z } from 'zod'
import {
  acceptInvitation,
  enrolmentOptions,
  enrolPasskey,
  findInvited,
  fingerprint,
  fingerprintText,
  invitationOptions,
  listPasskeys,
  removePasskey,
  signIn,
  signInOptions,
  usablePasskeys,
  waitingPasskey,
} from '../../domain/operators/operator-passkeys.ts'
import { openSession, revokeOtherSessions, revokeSession } from '../../domain/operators/operator-sessions.ts'
import { openTokens } from '../../domain/operators/sealed-tokens.ts'
import { recordAct } from '../../platform/audit/record-act.ts'
import type { ConsoleContext } from '../console-context.ts'
import { assertConfirmed, assertion, openProcedure, operatorProcedure, router } from '../console-trpc.ts'
import { countCeremony } from '../count-ceremony.ts'
import { addPasskeyAct, confirmedActs } from '../guarded-acts.ts'
import { runAct } from '../run-act.ts'

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
const ceremony = ({ database, relyingParty, services }: ConsoleContext) => ({
  database,
  relyingParty,
  now: services.now(),
})

export const session = router({
  /** Who is signed in; null for nobody. */
  current: openProcedure.query(async ({ ctx: { operator, database, services } }) => {
    if (!operator) return null
    const [usable, waiting] = await Promise.all([
      usablePasskeys(database, operator.id),
      waitingPasskey(database, operator.id, services.now()),
    ])
    return {
      ...{ name: operator.name, role: operator.role, expiresAt: operator.expiresAt.toISOString() },
      /** Whether it can confirm acts. */
      hasPasskey: usable.length > 0,
      /** The fingerprint by which an administrator recognises it; null if none waits. */
      waitingPasskey: waiting ? fingerprint(waiting.public_key) : null,
      confirmedActs: usable.length > 0 ? [...confirmedActs, addPasskeyAct] : [...confirmedActs],
      hasApprovals: services.env.CONSOLE_APPROVALS.length > 0,
    }
  }),
  /** How operators sign in. */
  methods: openProcedure.query(({ ctx: { provider, services } }) => ({
    provider: provider?.name ?? null,
    passkeys: services.env.CONSOLE_PASSKEYS,
  })),
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
    const policy = ctx.services.env.CONSOLE_PASSKEYS
    return signIn({ ...ceremony(ctx), policy }, input.response, async (transaction, operator) => {
      const now = ctx.services.now()
      const { address, userAgent } = ctx
      const opened = await openSession(transaction, { operatorId: operator.id, address, userAgent, now })
      await recordAct(transaction, {
        ...{ actor: `console:${operator.name}`, source: address, act: 'operator.sign-in' },
        ...{ subject: operator.name, after: { session: opened.id } },
        ...(operator.break_glass && { identity: { breakGlass: true as const } }),
      })
      ctx.setSession(opened.token)
      return { name: operator.name, role: operator.role }
    })
  }),
  /** @returns where the browser goes to end the session at the identity provider; null if that is not needed */
  signOut: operatorProcedure.mutation(async ({ ctx }) => {
    const { operator, provider, cookie, services } = ctx
    await ctx.database
      .transaction()
      .execute((transaction) => revokeSession(transaction, operator.sessionId, services.now()))
    ctx.setSession(undefined)
    if (!operator.proof || !provider || cookie === undefined) return { next: null }
    const tokens = openTokens(operator.proof.sealed, cookie)
    const next = await provider.signOut(tokens).catch((error: unknown) => {
      services.log.warn({ err: error }, 'the identity provider did not end a session')
      return undefined
    })
    return { next: next?.href ?? null }
  }),
  passkeyOptions: operatorProcedure.mutation(async ({ ctx }) => {
    await countCeremony(ctx)
    return enrolmentOptions(ceremony(ctx), ctx.operator)
  }),
  /** The operator's own passkeys, those that wait for an administrator included. */
  passkeys: operatorProcedure.query(async ({ ctx: { database, operator } }) => ({
    passkeys: (await listPasskeys(database, operator.id)).map((row) => ({
      ...{ passkey: fingerprint(row.public_key), isSynced: row.backup_eligible, isWaiting: row.waiting },
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    })),
  })),
  /** Removes a passkey but the last one, and ends the operator's other sessions: a lost device may have one. */
  removePasskey: operatorProcedure
    .input(z.object({ passkey: fingerprintText }))
    .mutation(({ ctx, input: { passkey } }) =>
      runAct(ctx, async ({ transaction, now, record }) => {
        const { operator } = ctx
        await removePasskey(transaction, operator.id, passkey)
        await revokeOtherSessions(transaction, operator, now)
        await record({ act: 'operator.passkey-remove', subject: operator.name, before: { passkey } })
        return { removed: true }
      }),
    ),
  /** Adds a passkey. An earlier passkey of the operator confirms it; without one, an administrator does. */
  addPasskey: operatorProcedure
    .input(z.object({ response: registration }))
    .mutation(async ({ ctx, input }) => {
      const { operator } = ctx
      await countCeremony(ctx)
      const isConfirmed = (await usablePasskeys(ctx.database, operator.id)).length > 0
      if (isConfirmed) await assertConfirmed(ctx, addPasskeyAct, input)
      return runAct(ctx, async ({ transaction, record }) => {
        const added = await enrolPasskey(ceremony(ctx), transaction, operator, {
          ...{ response: input.response, isConfirmed },
        })
        await record({ act: 'operator.passkey', subject: operator.name, after: added })
        return added
      })
    }),
})
