import { type AccountDeployment, safeDeployment } from '@lanyard/accounts'
import type { EndpointInput, endpoints } from '@lanyard/contracts'
import { bytesToHex, type Hex } from 'viem'
import type { ExpectedOwner } from './account-of.ts'
import { fromBase64Url } from './base64url.ts'
import type { Build } from './build.ts'
import { expectOrder } from './smart-balance/expect-order.ts'
import type { OrderExpectation } from './smart-balance/order-expectation.ts'
import { toCall } from './to-call.ts'
import { toChainId } from './to-chain-id.ts'
import { BuildVerificationError } from './verification-error.ts'
import { type VerifiedOperation, verifyOperation } from './verify-operation.ts'

type Asked = EndpointInput<typeof endpoints.webauthn.transactionOptions>

/** What was asked of `webauthn.transactionOptions`. */
export type TransactionRequest = Pick<Asked, 'transactionDetails' | 'paymasterData' | 'orderData'>

/** What it answered, over REST or tRPC. Nothing about it is trusted. */
export interface TransactionOptions extends Pick<Build, 'userOp' | 'validAfter' | 'validUntil' | 'order'> {
  /** base64url of the 32 bytes that the passkey would sign. */
  readonly challenge: string
}

export interface VerifyTransactionOptionsParameters {
  readonly options: TransactionOptions
  readonly request: TransactionRequest
  /**
   * The account's first passkey (its public key, and the verifiers: `defaultVerifiers` of `@lanyard/accounts`), or the
   * account's address where an earlier visit left only that.
   */
  readonly owner: ExpectedOwner
  /** The network that was asked for, in any form that requests take. */
  readonly network: Asked['network']
  /** Default: the canonical contracts. */
  readonly deployment?: AccountDeployment
  /** Where the request spends the smart balance: what the order has to be. */
  readonly order?: OrderExpectation | undefined
  /** The most that the operation may cost, wei. Absent: any fee that the service chose; show it before signing. */
  readonly maximumCost?: bigint
}

/**
 * Recomputes what an assertion over `options.challenge` would allow: the account, the code that deploys it, exactly the
 * calls of the request, who pays, what is spent of the smart balance, and that the challenge is the SafeOp hash of all of that on this network. Call it
 * before `startAuthentication`: a person cannot read a challenge.
 *
 * @example
 * const { userOp, ...optionsJSON } = await lanyard.webauthn.transactionOptions({ ...request, username })
 * verifyTransactionOptions({ options: { ...optionsJSON, userOp }, request, owner, network: request.network })
 * const assertion = await startAuthentication({ optionsJSON })
 * @throws BuildVerificationError naming the first member that is not what was asked for
 */
export function verifyTransactionOptions({
  options,
  request,
  owner,
  network,
  deployment = safeDeployment,
  order,
  maximumCost,
}: VerifyTransactionOptionsParameters): VerifiedOperation {
  const ordered = expectOrder({ request, network, answered: options.order, order, owner, deployment })
  return verifyOperation(
    { ...options, signed: { field: 'challenge', hash: readChallenge(options.challenge) } },
    {
      owner,
      chainId: toChainId(network),
      calls: [...(ordered?.calls ?? []), ...(request.transactionDetails ?? []).map(toCall)],
      paymasterData: request.paymasterData,
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
