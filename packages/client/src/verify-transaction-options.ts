import { type AccountDeployment, defaultDeployment } from '@lanyard/accounts'
import type { EndpointInput, endpoints } from '@lanyard/contracts'
import { bytesToHex, getAddress, type Hex } from 'viem'
import type { ExpectedOwner } from './account-of.ts'
import { fromBase64Url } from './base64url.ts'
import type { Build } from './build.ts'
import { expectOrder } from './smart-balance/expect-order.ts'
import type { OrderExpectation } from './smart-balance/order-expectation.ts'
import { toCall } from './to-call.ts'
import { toChainId } from './to-chain-id.ts'
import { BuildVerificationError } from './verification-error.ts'
import { type VerifiedOperation, verifyOperation } from './verify-operation.ts'

type Requested = EndpointInput<typeof endpoints.webauthn.transactionOptions>

/** The request to `webauthn.transactionOptions`. */
export type TransactionRequest = Pick<
  Requested,
  'transactionDetails' | 'paymasterData' | 'feeToken' | 'orderData'
>

/** The response, over REST or tRPC. None of it is trusted. */
export interface TransactionOptions extends Pick<Build, 'userOp' | 'validAfter' | 'validUntil' | 'order'> {
  /** base64url of the 32 bytes that the passkey signs. */
  readonly challenge: string
}

export interface VerifyTransactionOptionsParameters {
  readonly options: TransactionOptions
  readonly request: TransactionRequest
  /**
   * The account's first passkey (its public key and its verifiers: `defaultVerifiers` of
   * `@lanyard/accounts`), or the account's address if only that is known from an earlier visit.
   */
  readonly owner: ExpectedOwner
  /** The requested network, in any form that requests accept. */
  readonly network: Requested['network']
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

/**
 * Recomputes what an assertion over `options.challenge` would allow: the account, its deployment code,
 * exactly the requested calls, the payer and the smart balance spent. Verifies that the challenge is the
 * SafeOp hash of all of that on this network. Call it before `startAuthentication`: a person cannot read a
 * challenge.
 *
 * @example
 * const { userOp, ...optionsJSON } = await lanyard.webauthn.transactionOptions({ ...request, username })
 * verifyTransactionOptions({ options: { ...optionsJSON, userOp }, request, owner, network: request.network })
 * const assertion = await startAuthentication({ optionsJSON })
 * @throws BuildVerificationError naming the first field that does not match the request
 */
export function verifyTransactionOptions({
  options,
  request,
  owner,
  network,
  deployment = defaultDeployment,
  order,
  maximumCost,
  maximumTokenFee,
}: VerifyTransactionOptionsParameters): VerifiedOperation {
  const ordered = expectOrder({ request, network, answered: options.order, order, owner, deployment })
  return verifyOperation(
    { ...options, signed: { field: 'challenge', hash: readChallenge(options.challenge) } },
    {
      owner,
      chainId: toChainId(network),
      calls: [...(ordered?.calls ?? []), ...(request.transactionDetails ?? []).map(toCall)],
      paymasterData: request.paymasterData,
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

function readChallenge(challenge: string): Hex {
  if (/^[A-Za-z0-9_-]{43}$/.test(challenge)) return bytesToHex(fromBase64Url(challenge))
  throw new BuildVerificationError('challenge', 'not 32 bytes in base64url')
}
