import type { sessionKeysAbi } from '@lanyard/onchain'
import type { ContractFunctionReturnType } from 'viem'
import { SessionKeysError } from '../errors.ts'
import { ruleKinds, type SessionRule, type SessionState } from './session.ts'

/** What viem's `readContract` answers for `SessionKeys.sessionOf`. */
export type SessionStateOnChain = ContractFunctionReturnType<typeof sessionKeysAbi, 'view', 'sessionOf'>

/**
 * A session as `SessionKeys.sessionOf` answers it.
 *
 * @throws SessionKeysError MALFORMED for a kind of rule that is not known here.
 */
export function decodeSessionState({ session, ...state }: SessionStateOnChain): SessionState {
  return { ...state, session: { ...session, rules: session.rules.map(decodeRule) } }
}

function decodeRule({ kind, ...rule }: SessionStateOnChain['session']['rules'][number]): SessionRule {
  const name = ruleKinds[kind]
  if (name === undefined) throw new SessionKeysError('MALFORMED', `A rule of the unknown kind ${kind}.`)
  return { kind: name, ...rule }
}
