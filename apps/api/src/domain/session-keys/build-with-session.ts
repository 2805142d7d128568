import { LanyardError, type SignMode } from '@lanyard/contracts'
import type { SessionKey } from '@lanyard/session-keys'
import type { BuildRequest, BuildTarget, BuiltOperation, FindPayer } from '../operations/build-request.ts'
import type { OperationDependencies } from '../operations/dependencies.ts'
import { buildOperation } from '../operations/prepare/build-operation.ts'
import { requireSessionPaymaster } from './session-rejected.ts'
import { readSessionSigner } from './session-signer.ts'

interface SessionBuildRequest
  extends Omit<BuildRequest, 'payer' | 'signer' | 'prepended' | 'wallet'>,
    BuildTarget {
  readonly key: SessionKey
  readonly findPayer: FindPayer
}

/**
 * Builds an operation for a session key to sign. Nothing is written if the session rejects it now. If the
 * session rejects it later, the contract does so on chain.
 *
 * @throws UNKNOWN_SESSION, SESSION_REFUSED, NO_SESSION_KEYS, and what `findPayer` and `buildOperation` throw
 */
export async function buildWithSession(
  operations: OperationDependencies,
  { key, findPayer, ...request }: SessionBuildRequest,
): Promise<BuiltOperation> {
  const { wallet, network } = request
  const signer = await readSessionSigner(network, wallet, key)
  const payer = await findPayer(signer.encodeCallData(request.calls, wallet))
  requireSessionPaymaster(signer.session, payer)
  return buildOperation(operations, { ...request, payer, signer })
}

interface SessionInput {
  readonly signMode?: SignMode | undefined
  readonly sessionKey?: SessionKey | undefined
  readonly orderData?: unknown
}

/**
 * The session key of a build; undefined for a build that an owner signs.
 *
 * @throws INVALID_INPUT when signMode and sessionKey contradict each other
 */
export function requireSessionKey(input: SessionInput): SessionKey | undefined {
  const { signMode = 'ECDSA', sessionKey, orderData } = input
  if (signMode !== 'SESSION_KEY' && sessionKey === undefined) return undefined
  if (signMode !== 'SESSION_KEY')
    throw invalid('signMode', 'Send SESSION_KEY, since the request has a sessionKey.')
  if (sessionKey === undefined) throw invalid('sessionKey', 'Needed with signMode SESSION_KEY.')
  if (orderData !== undefined) throw invalid('orderData', 'A session cannot spend the smart balance.')
  return sessionKey
}

const invalid = (path: string, message: string) =>
  new LanyardError('INVALID_INPUT', { issues: [{ path, message }] })
