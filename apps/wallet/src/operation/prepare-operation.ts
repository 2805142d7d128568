import type { Call } from '@lanyard/accounts'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import type { startAuthentication } from '@simplewebauthn/browser'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import type { Network } from '../networks/use-networks.ts'
import { toTransactionDetails, type VerifiedOperation, verifyOperation } from '../passkey/verify-operation.ts'
import type { Session } from '../session/stored-session.ts'
import type { VerifiedPayment } from '../smart-balance/verify-payment.ts'

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** An operation ready for the passkey, verified on this device. */
export interface PreparedOperation {
  readonly network: Network
  readonly verified: VerifiedOperation
  readonly requestOptions: RequestOptions
  /** The service pays the network fee. */
  readonly sponsored?: true
  /** Set if it spends the combined balance. */
  readonly payment?: PreparedPayment
}

/** The payment from the combined balance, and the id to track it by. */
export type PreparedPayment = Omit<VerifiedPayment, 'operation'> & { readonly orderId: Hex }

/**
 * Has the service build an operation, and verifies the response.
 *
 * @param paymasterData - `sponsored`: the service pays the fee if its budgets allow that
 * @throws WalletError if the response does not match the request; errors of the service
 */
export async function prepareOperation(
  { username, account }: Session,
  network: Network,
  calls: readonly Call[],
  signal: AbortSignal,
  paymasterData?: 'sponsored',
): Promise<PreparedOperation> {
  const { chainId } = network
  const answer = await trpc.webauthn.transactionOptions.mutate(
    { username, network: chainId, transactionDetails: toTransactionDetails(calls), paymasterData },
    { signal },
  )
  const verified = verifyOperation(answer, { account, chainId, calls, paymasterData })
  return { ...toPrepared(network, answer, verified), ...(paymasterData && { sponsored: true }) }
}

/** The authenticator's options, without the service's own fields. */
export function toPrepared(
  network: Network,
  answer: EndpointOutput<typeof endpoints.webauthn.transactionOptions>,
  verified: VerifiedOperation,
): PreparedOperation {
  const { userOp: _, order: __, validAfter: ___, validUntil: ____, ...requestOptions } = answer
  // The schema has `string` where the library has the standard's literals.
  return { network, verified, requestOptions: requestOptions as RequestOptions }
}
