import { type AccountDeployment, defaultDeployment } from '@lanyard/accounts'
import { buildOperation } from '@lanyard/contracts'
import { getAddress } from 'viem'
import type { ExpectedOwner } from './account-of.ts'
import type { Build, BuildRequest } from './build.ts'
import { expectOrder } from './smart-balance/expect-order.ts'
import type { OrderExpectation } from './smart-balance/order-expectation.ts'
import { toCall } from './to-call.ts'
import { BuildVerificationError } from './verification-error.ts'
import { type VerifiedOperation, verifyOperation } from './verify-operation.ts'

export interface VerifyBuildParameters {
  readonly build: Build
  readonly request: BuildRequest
  /**
   * The account's first owner: the address and the deployment code follow from it. Or the account itself, if its address does not:
   * check it with `verifyExistingSafe`.
   */
  readonly owner: ExpectedOwner
  /** Default: the canonical contracts. */
  readonly deployment?: AccountDeployment
  /** The expected order, if the request spends the smart balance. */
  readonly order?: OrderExpectation | undefined
  /**
   * Maximum cost of the operation in wei. Absent: any fee that the service chooses, so show it before
   * signing.
   */
  readonly maximumCost?: bigint
  /** Maximum cost in the requested `feeToken`, in its base units. Absent: any. */
  readonly maximumTokenFee?: bigint | undefined
}

/** The verified content of a build. */
export type VerifiedBuild = VerifiedOperation

/**
 * Recomputes everything that a signature over `build.messageToSign` would allow from the request and the
 * owner alone: the account, its deployment code, the calls, the payer, the smart balance spent, and the hash
 * itself. None of this relies on trusting the service.
 *
 * @throws BuildVerificationError naming the first field that does not match the request
 */
export function verifyBuild({
  build,
  request,
  owner,
  deployment = defaultDeployment,
  order,
  maximumCost,
  maximumTokenFee,
}: VerifyBuildParameters): VerifiedBuild {
  const requested = buildOperation.body.parse(request)
  if (build.signMode !== (requested.signMode ?? 'ECDSA')) {
    throw new BuildVerificationError('signMode', 'the request was for another kind of signature')
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
      chainId: requested.network,
      calls: [...(ordered?.calls ?? []), ...requested.transactionDetails.map(toCall)],
      paymasterData: requested.paymasterData,
      tokenFee:
        request.feeToken === undefined
          ? undefined
          : { feeToken: getAddress(request.feeToken), maximumTokenFee },
      order: ordered?.order,
      deployment,
      maximumCost,
    },
  )
}
