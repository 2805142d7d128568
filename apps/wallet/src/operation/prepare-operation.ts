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

/** An operation that waits for the passkey, after it was verified on this device. */
export interface PreparedOperation {
  readonly network: Network
  readonly verified: VerifiedOperation
  readonly requestOptions: RequestOptions
  /** The service pays the network fee. */
  readonly sponsored?: true
  /** Where it spends the combined balance. */
  readonly payment?: PreparedPayment
}

/** What the combined balance pays, and the name by which it is followed. */
export type PreparedPayment = Omit<VerifiedPayment, 'operation'> & { readonly orderId: Hex }

/**
 * Has the service build an operation and verifies what came back.
 *
 * @param paymasterData `sponsored`: the service pays the fee, where its budgets allow that.
 * @throws WalletError when it is not exactly what was asked for; what the service throws.
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

/** What the authenticator takes, without what is ours. */
export function toPrepared(
  network: Network,
  answer: EndpointOutput<typeof endpoints.webauthn.transactionOptions>,
  verified: VerifiedOperation,
): PreparedOperation {
  const { userOp: _, order: __, validAfter: ___, validUntil: ____, ...requestOptions } = answer
  // The schema says `string` where the library knows the standard's literals.
  return { network, verified, requestOptions: requestOptions as RequestOptions }
}
