import type { Call } from '@lanyard/accounts'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import type { startAuthentication } from '@simplewebauthn/browser'
import type { Hex } from 'viem'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { useCancellableMutation } from '../api/use-cancellable-mutation.ts'
import type { Network } from '../networks/use-networks.ts'
import { toTransactionDetails, type VerifiedOperation, verifyOperation } from '../passkey/verify-operation.ts'
import { useSession } from '../sign-in/session-context.tsx'
import type { VerifiedPayment } from './verify-payment.ts'

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** An operation ready for the passkey, verified on this device. */
export interface PreparedOperation {
  readonly network: Network
  readonly verified: VerifiedOperation
  readonly requestOptions: RequestOptions
  /** The service pays the network fee. */
  readonly sponsored?: true
  /** Set if it takes the place of a pending operation. */
  readonly replaced?: ReplacedOperation
  /** Set if it spends the combined balance. */
  readonly payment?: PreparedPayment
}

/** The payment from the combined balance, and the id to track it by. */
export type PreparedPayment = Omit<VerifiedPayment, 'operation'> & { readonly orderId: Hex }

/** A pending operation, and what the new one does. */
export interface ReplacedOperation {
  readonly userOpHash: Hex
  readonly nonce: bigint
  /** Wei. */
  readonly maxFee: bigint
  /** A description of its effect. */
  readonly summary: string
  /** `faster`: the same calls for a higher fee. `cancel`: no effect. */
  readonly how: 'faster' | 'cancel'
}

/**
 * Has the service build an operation, and verifies the response.
 *
 * @param replaced - it takes this operation's nonce, so that only one of the two can be included
 * @param paymasterData - `sponsored`: the service pays the fee if its budgets allow that
 * @throws WalletError if the response does not match the request; errors of the service
 */
export async function prepareOperation(
  { username, account }: Session,
  network: Network,
  calls: readonly Call[],
  signal: AbortSignal,
  paymasterData?: 'sponsored',
  replaced?: ReplacedOperation,
): Promise<PreparedOperation> {
  const { chainId } = network
  const answer = await trpc.webauthn.transactionOptions.mutate(
    {
      username,
      network: chainId,
      transactionDetails: toTransactionDetails(calls),
      paymasterData,
      replaces: replaced?.userOpHash,
    },
    { signal },
  )
  const verified = verifyOperation(answer, { account, chainId, calls, paymasterData, nonce: replaced?.nonce })
  return {
    ...toPrepared(network, answer, verified),
    ...(paymasterData && { sponsored: true }),
    ...(replaced && { replaced }),
  }
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

/** Prepares an operation for review. Pass its `data` to `OperationReview`. */
export function usePrepareOperation() {
  const session = useSession()
  return useCancellableMutation({
    mutationFn: (signal, { network, calls }: { network: Network; calls: readonly Call[] }) =>
      prepareOperation(session, network, calls, signal),
  })
}

/** Seconds that a payment needs from signature to inclusion. */
const inclusionMargin = 20

/** The latest time to sign a payment, in milliseconds since 1970. */
export const payableUntil = ({ validUntil }: Pick<PreparedPayment, 'validUntil'>): number =>
  (validUntil - inclusionMargin) * 1_000
