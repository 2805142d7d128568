import { type AccountDeployment, type AccountOwner, safeDeployment } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import type { Build, BuildRequest } from './build.ts'
import { expectOrder } from './smart-balance/expect-order.ts'
import type { OrderExpectation } from './smart-balance/order-expectation.ts'
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
  /** Where the request spends the smart balance: what the order has to be. */
  readonly order?: OrderExpectation | undefined
  /** The most that the operation may cost, wei. Absent: any fee that the service chose; show it before signing. */
  readonly maximumCost?: bigint
}

/** What a verified build stands for. */
export type VerifiedBuild = VerifiedOperation

/**
 * Recomputes everything that a signature over `build.messageToSign` would allow, from the request and the owner
 * alone: the account, the code that deploys it, the calls, who pays, what is spent of the smart balance, and the hash
 * itself. The service is not trusted with any of it.
 *
 * @throws BuildVerificationError naming the first member that is not what was asked for
 */
export function verifyBuild({
  build,
  request,
  owner,
  deployment = safeDeployment,
  order,
  maximumCost,
}: VerifyBuildParameters): VerifiedBuild {
  const asked = endpoints.smartAccount.build.body.parse(request)
  if (build.signMode !== (asked.signMode ?? 'ECDSA')) {
    throw new BuildVerificationError('signMode', 'another kind of signature was asked for')
  }
  const ordered = expectOrder({
    request,
    network: request.network,
    answered: build.order,
    order,
    owner,
    deployment,
  })
  return verifyOperation(
    { ...build, signed: { field: 'messageToSign', hash: build.messageToSign } },
    {
      owner,
      chainId: asked.network,
      calls: [...(ordered?.calls ?? []), ...asked.transactionDetails.map(toCall)],
      paymasterData: asked.paymasterData,
      order: ordered?.order,
      deployment,
      maximumCost,
    },
  )
}
