import type { sessionKeysAbi } from '@lanyard/onchain'
import type { ContractFunctionReturnType } from 'viem'
import { SessionKeysError } from '../errors.ts'
import { ruleKinds, type SessionRule, type SessionState } from './session.ts'

/** The result of viem's `readContract` for `SessionKeys.sessionOf`. */
export type SessionStateOnChain = ContractFunctionReturnType<typeof sessionKeysAbi, 'view', 'sessionOf'>

/**
 * Decodes a session from the result of `SessionKeys.sessionOf`.
 *
 * @throws SessionKeysError MALFORMED for an unknown kind of rule.
 */
export function decodeSessionState({ session, ...state }: SessionStateOnChain): SessionState {
  return { ...state, session: { ...session, rules: session.rules.map(decodeRule) } }
}

function decodeRule({ kind, ...rule }: SessionStateOnChain['session']['rules'][number]): SessionRule {
  const name = ruleKinds[kind]
  if (name === undefined) throw new SessionKeysError('MALFORMED', `A rule has the unknown kind ${kind}.`)
  return { kind: name, ...rule }
}
