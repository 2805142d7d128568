import { LanyardError } from '@lanyard/contracts'
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { includesRole, type OperatorRole } from '../domain/operators/operator-roles.ts'
import { toTrpcError } from '../pipeline/errors/error-answer.ts'
import { describeIssue } from '../platform/errors/describe-issue.ts'
import { toLanyardError } from '../platform/errors/to-lanyard-error.ts'
import type { ConsoleContext, OperatorContext } from './console-context.ts'

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

/** Refuses whoever lacks the role that `procedureRoles` declares for the procedure. */
const checkRole = trpc.middleware(({ ctx, path, next }) => {
  const needed = procedureRoles[path]
  if (needed === undefined) throw new LanyardError('FORBIDDEN', { message: `${path} declares no role.` })
  if (needed === 'anyone') return next()
  if (!ctx.operator) {
    throw new LanyardError('UNAUTHORIZED', { message: 'Your session has ended. Sign in again.' })
  }
  if (!includesRole(ctx.operator.role, needed)) {
    throw new LanyardError('FORBIDDEN', {
      message: `This needs the role ${needed}; yours is ${ctx.operator.role}. An administrator can change it.`,
    })
  }
  return next()
})

/** A procedure that may be called before the sign-in. */
export const openProcedure = trpc.procedure.use(checkRole)

/** A procedure for signed-in operators. */
export const operatorProcedure = openProcedure.use(({ ctx, path, next }) => {
  const { operator } = ctx
  const neededRole = procedureRoles[path]
  if (!operator || neededRole === undefined || neededRole === 'anyone') {
    throw new LanyardError('INTERNAL', { cause: `${path} has no operator` })
  }
  const context: OperatorContext = { ...ctx, operator, neededRole }
  return next({ ctx: context })
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
  'session.signOut': 'viewer',

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
  'policies.resume': 'operator',
  'policies.save': 'operator',
  'policies.discard': 'operator',

  'audit.list': 'operator',
  'operators.list': 'admin',
  'operators.invite': 'admin',
  'operators.changeRole': 'admin',
  'operators.disable': 'admin',
  'operators.revokeSession': 'admin',
}
