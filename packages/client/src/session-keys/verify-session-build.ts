import { type AccountDeployment, type Call, defaultDeployment } from '@lanyard/accounts'
import { buildOperation } from '@lanyard/contracts'
import { encodeSessionExecute, type SessionKey, sessionKeyId } from '@lanyard/session-keys'
import type { Address } from 'viem'
import type { Build, BuildRequest } from '../build.ts'
import { toCall } from '../to-call.ts'
import { BuildVerificationError } from '../verification-error.ts'
import { type VerifiedOperation, verifyOperation } from '../verify-operation.ts'

export interface VerifySessionBuildParameters {
  readonly build: Build
  /** The request, with signMode SESSION_KEY and the key. */
  readonly request: BuildRequest
  readonly key: SessionKey
  /** The account that granted the session. */
  readonly account: Address
  /** The SessionKeys contract, one address on all networks. Pin it; `system.networks` returns it. */
  readonly sessionKeys: Address
  /** Default: the canonical contracts. */
  readonly deployment?: AccountDeployment
  /** Maximum cost of the operation in wei. Default: the session's limits. */
  readonly maximumCost?: bigint
}

/**
 * Recomputes what a session key's signature over `build.messageToSign` would allow: exactly the requested
 * calls, through the session contract, by this account on this network, paid by the requested payer.
 *
 * @returns `calls` are the calls that the account would make
 * @throws BuildVerificationError naming the first field that does not match the request
 */
export function verifySessionBuild(parameters: VerifySessionBuildParameters): VerifiedOperation {
  const {
    build,
    request,
    key,
    account,
    sessionKeys,
    deployment = defaultDeployment,
    maximumCost,
  } = parameters
  const requested = buildOperation.body.parse(request)
  if (build.signMode !== 'SESSION_KEY' || requested.signMode !== 'SESSION_KEY') {
    throw new BuildVerificationError('signMode', 'expected SESSION_KEY')
  }
  if (requested.sessionKey === undefined || sessionKeyId(requested.sessionKey) !== sessionKeyId(key)) {
    throw new BuildVerificationError('sessionKey', 'the request was for another key')
  }
  if (build.order !== undefined)
    throw new BuildVerificationError('order', 'a session cannot spend the smart balance')
  const calls: readonly Call[] = requested.transactionDetails.map(toCall)
  const verified = verifyOperation(
    { ...build, signed: { field: 'messageToSign', hash: build.messageToSign } },
    {
      owner: { kind: 'account', address: account },
      chainId: requested.network,
      calls: [encodeSessionExecute({ sessionKeys, key, calls })],
      paymasterData: requested.paymasterData,
      order: undefined,
      deployment,
      maximumCost,
    },
  )
  return { ...verified, calls }
}
