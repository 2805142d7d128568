import { createHash } from 'node:crypto'
import type { SignedInOperator } from '../domain/operators/operator-sessions.ts'
import { canonicalJson } from '../platform/audit/entry.ts'
import { ConfigurationError } from '../platform/environment/configuration-error.ts'
import type { Env } from '../platform/environment/env.ts'

/**
 * Acts that move money or keys, or give power: each needs the operator's passkey, for this act and this input. This is the only
 * place that says so. What is missing here is read-only, or repeats nothing that leaves the house.
 */
export const confirmedActs = [
  'keys.create',
  'keys.revoke',
  'policies.save',
  'policies.discard',
  'policies.resume',
  'webhooks.redeliver',
  'webhooks.disable',
  'webhooks.enable',
  'webhooks.remove',
  'operators.invite',
  'operators.changeRole',
  'operators.disable',
  'operators.revokeSession',
  'operators.confirmPasskey',
  'approvals.approve',
  'session.removePasskey',
] as const

const confirmed: ReadonlySet<string> = new Set(confirmedActs)

export const isConfirmedAct = (act: string): boolean => confirmed.has(act)

/** Another passkey: one that the operator has already confirms it. */
export const addPasskeyAct = 'session.addPasskey'

/** A key that may do everything. */
const fullKey = 'keys.create:full'

/** What CONSOLE_APPROVALS may name: acts that start something. One that stops something never waits for a second person. */
const approvableActs: readonly string[] = [
  'keys.create',
  fullKey,
  'policies.save',
  'policies.discard',
  'policies.resume',
  'webhooks.redeliver',
  'webhooks.enable',
  'operators.invite',
  'operators.changeRole',
  'operators.confirmPasskey',
]

/** @throws ConfigurationError for a name that is none, with all names */
export function assertApprovals({ CONSOLE_APPROVALS }: Pick<Env, 'CONSOLE_APPROVALS'>): void {
  const unknown = CONSOLE_APPROVALS.filter((name) => !approvableActs.includes(name))
  if (unknown.length === 0) return
  throw new ConfigurationError('The environment', [
    `CONSOLE_APPROVALS: ${unknown.join(', ')} is no act that can wait for a second person. Expected some of ${approvableActs.join(', ')}`,
  ])
}

/**
 * Acts that make an approver. They wait as soon as any act does: otherwise one administrator could invite the second person alone.
 */
const actsThatMakeApprovers: ReadonlySet<string> = new Set([
  ...['operators.invite', 'operators.changeRole', 'operators.confirmPasskey'],
])

/** Whether an act with this input waits for a second person. */
export function needsSecondPerson(
  { CONSOLE_APPROVALS }: Pick<Env, 'CONSOLE_APPROVALS'>,
  act: string,
  input: unknown,
): boolean {
  if (CONSOLE_APPROVALS.length > 0 && actsThatMakeApprovers.has(act)) return true
  if (CONSOLE_APPROVALS.includes(act)) return true
  return act === 'keys.create' && CONSOLE_APPROVALS.includes(fullKey) && isFullKey(input)
}

/**
 * Whether a new key is a secret one that may do everything. Only an administrator makes it: with it, its maker could do what the
 * role of an operator does not allow, and go on after losing the role.
 */
export function isFullKey(input: unknown): boolean {
  const { kind, scope }: { kind?: unknown; scope?: unknown } = Object(input)
  return kind === 'secret' && (scope ?? 'full') === 'full'
}

/** Whether this operator may do it without a second person all the same. */
export const mayActAlone = (
  { CONSOLE_BREAK_GLASS_ALONE }: Pick<Env, 'CONSOLE_BREAK_GLASS_ALONE'>,
  { isBreakGlass }: Pick<SignedInOperator, 'isBreakGlass'>,
): boolean => CONSOLE_BREAK_GLASS_ALONE && isBreakGlass

const digest = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex')

/** Names an act with its input, for people who compare them and for the passkey that approves it. */
export const hashAct = (act: string, input: unknown): string => digest({ act, input })

/** What a passkey confirms: this act with this input, in this session. */
export const purposeOf = ({ sessionId }: Pick<SignedInOperator, 'sessionId'>, act: string, input: unknown) =>
  digest({ session: sessionId, act, input })
