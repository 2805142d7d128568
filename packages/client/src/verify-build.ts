import { type AccountDeployment, type AccountOwner, safeDeployment } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import type { Build, BuildRequest } from './build.ts'
import { toCall } from './to-call.ts'
import { BuildVerificationError } from './verification-error.ts'
import { type VerifiedOperation, verifyOperation } from './verify-operation.ts'

export interface VerifyBuildParameters {
  readonly build: Build
  readonly request: BuildRequest
  /** The first owner of the account: its address, and the code that deploys it, follow from the owner alone. */
  readonly owner: AccountOwner
  /** Default: the canonical contracts. */
  readonly deployment?: AccountDeployment
  /** The most that the operation may cost, wei. Absent: any fee that the service chose; show it before signing. */
  readonly maximumCost?: bigint
}

/** What a verified build stands for. */
export type VerifiedBuild = VerifiedOperation

/**
 * Recomputes everything that a signature over `build.messageToSign` would allow, from the request and the owner
 * alone: the account, the code that deploys it, the calls, who pays, and the hash itself. The service is not trusted
 * with any of it.
 *
 * @throws BuildVerificationError naming the first member that is not what was asked for
 */
export function verifyBuild({
  build,
  request,
  owner,
  deployment = safeDeployment,
  maximumCost,
}: VerifyBuildParameters): VerifiedBuild {
  const asked = endpoints.smartAccount.build.body.parse(request)
  if (build.signMode !== (asked.signMode ?? 'ECDSA')) {
    throw new BuildVerificationError('signMode', 'another kind of signature was asked for')
  }
  return verifyOperation(
    { ...build, signed: { field: 'messageToSign', hash: build.messageToSign } },
    {
      owner,
      chainId: asked.network,
      calls: asked.transactionDetails.map(toCall),
      paymasterData: asked.paymasterData,
      deployment,
      maximumCost,
    },
  )
}
