import { LanyardError } from '@lanyard/contracts'
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { verifyConfirmation } from '../domain/operators/operator-passkeys.ts'
import { includesRole, type OperatorRole } from '../domain/operators/operator-roles.ts'
import { toTrpcError } from '../pipeline/errors/error-answer.ts'
import { describeIssue } from '../platform/errors/describe-issue.ts'
import { toLanyardError } from '../platform/errors/to-lanyard-error.ts'
import type { ConsoleContext, OperatorContext } from './console-context.ts'
import { isConfirmedAct, isFullKey, mayActAlone, needsSecondPerson, purposeOf } from './guarded-acts.ts'

z.config({ customError: describeIssue }) // tRPC parses the inputs, and passes no words of ours

const trpc = initTRPC.context<ConsoleContext>().create({
  isDev: false,
  errorFormatter: ({ error, ctx }) => toTrpcError(toConsoleError(error), ctx?.requestId ?? ''),
})

/** An input that does not fit is named field by field, as in the public API. */
export function toConsoleError(error: unknown): LanyardError {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof z.ZodError)) return toLanyardError(error)
  const issues = cause.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  return new LanyardError('INVALID_INPUT', {
    issues,
    message: issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('. '),
  })
}

/** The least role for an act with this input; undefined if none may. */
export function roleFor(path: string, input: unknown): OperatorRole | undefined {
  if (path === 'keys.create' && isFullKey(input)) return 'admin'
  const needed = procedureRoles[path]
  return needed === 'anyone' ? undefined : needed
}

/** @throws FORBIDDEN if the role does not include the act */
export function assertAdmitted(role: OperatorRole, path: string, input: unknown): void {
  const needed = roleFor(path, input)
  if (needed !== undefined && includesRole(role, needed)) return
  throw new LanyardError('FORBIDDEN', {
    message: `This needs the role ${needed}; yours is ${role}. An administrator can change it.`,
  })
}

/** Refuses whoever lacks the role that `procedureRoles` declares for the procedure. */
const checkRole = trpc.middleware(({ ctx, path, next }) => {
  const needed = procedureRoles[path]
  if (needed === undefined) throw new LanyardError('FORBIDDEN', { message: `${path} declares no role.` })
  if (needed === 'anyone') return next()
  if (!ctx.operator) {
    throw new LanyardError('UNAUTHORIZED', { message: 'Your session has ended. Sign in again.' })
  }
  assertAdmitted(ctx.operator.role, path, undefined)
  return next()
})

/** A procedure that may be called before the sign-in. */
export const openProcedure = trpc.procedure.use(checkRole)

const binary = z.string().max(100_000)

/** The answer of a passkey to a challenge. */
export const assertion = z.object({
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

/**
 * Checks that the operator's passkey confirms this act with this input, now. It counts once.
 *
 * @throws VERIFICATION_FAILED
 */
export async function assertConfirmed(
  { services, relyingParty, database, confirmation, operator }: OperatorContext,
  act: string,
  input: unknown,
): Promise<void> {
  const parsed = assertion.safeParse(confirmation)
  if (!parsed.success) {
    throw new LanyardError('VERIFICATION_FAILED', {
      message: 'This needs the confirmation of your passkey. Nothing was done.',
    })
  }
  await verifyConfirmation({ database, relyingParty, now: services.now() }, parsed.data, {
    operatorId: operator.id,
    purpose: purposeOf(operator, act, input),
  })
}

/** A procedure for signed-in operators. What `confirmedActs` names, their passkey confirms. */
export const operatorProcedure = openProcedure.use(async ({ ctx, path, getRawInput, next }) => {
  const { operator, approval, services } = ctx
  const neededRole = procedureRoles[path]
  if (!operator || neededRole === undefined || neededRole === 'anyone') {
    throw new LanyardError('INTERNAL', { cause: `${path} has no operator` })
  }
  const context: OperatorContext = { ...ctx, operator, neededRole, isAlone: false }
  // The second person has confirmed it, with a passkey of their own.
  if (approval?.act === path || !isConfirmedAct(path)) return next({ ctx: context })
  const input = await getRawInput()
  assertAdmitted(operator.role, path, input)
  await assertConfirmed(context, path, input)
  if (!needsSecondPerson(services.env, path, input)) return next({ ctx: context })
  if (mayActAlone(services.env, operator)) return next({ ctx: { ...context, isAlone: true } })
  throw new LanyardError('FORBIDDEN', {
    message: 'This waits for a second person (CONSOLE_APPROVALS): request it. Nothing was done.',
  })
})

export const { router } = trpc

/**
 * Who may call each procedure of the console: the least role, or `anyone` before the sign-in. This is the only place
 * that says so. A procedure that is missing here is refused, and the console's test fails.
 */
export const procedureRoles: Readonly<Record<string, OperatorRole | 'anyone'>> = {
  'session.current': 'anyone',
  'session.invitation': 'anyone',
  'session.acceptOptions': 'anyone',
  'session.accept': 'anyone',
  'session.signInOptions': 'anyone',
  'session.signIn': 'anyone',
  'session.methods': 'anyone',
  'session.signOut': 'viewer',
  'session.passkeyOptions': 'viewer',
  'session.addPasskey': 'viewer',
  'session.passkeys': 'viewer',
  'session.removePasskey': 'viewer',

  'overview.read': 'viewer',
  'overview.series': 'viewer',
  'operations.search': 'viewer',
  'operations.detail': 'viewer',
  'accounts.search': 'viewer',
  'accounts.detail': 'viewer',
  'accounts.chain': 'viewer',
  'policies.list': 'viewer',
  'keys.list': 'viewer',
  'webhooks.list': 'viewer',
  'balance.read': 'viewer',

  'approvals.confirmation': 'viewer',
  'approvals.request': 'support',
  'approvals.list': 'support',
  'approvals.approve': 'support',
  'approvals.reject': 'support',
  'approvals.withdraw': 'support',

  // What a delivery carried, and what an outsider answered.
  'webhooks.deliveries': 'support',
  'policies.dryRun': 'support',
  'webhooks.redeliver': 'support',
  'webhooks.lastTest': 'support',
  'webhooks.test': 'support',

  'keys.create': 'operator',
  'keys.revoke': 'operator',
  'webhooks.disable': 'operator',
  'webhooks.enable': 'operator',
  'webhooks.remove': 'operator',
  'policies.resume': 'operator',
  'policies.save': 'operator',
  'policies.discard': 'operator',

  'audit.list': 'operator',
  'audit.count': 'operator',
  'audit.choices': 'operator',
  'operators.list': 'admin',
  'operators.invite': 'admin',
  'operators.changeRole': 'admin',
  'operators.disable': 'admin',
  'operators.revokeSession': 'admin',
  'operators.confirmPasskey': 'admin',
}
