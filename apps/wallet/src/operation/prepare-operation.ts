import type { Call } from '@lanyard/accounts'
import type { Currency } from '@lanyard/calls'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import type { startAuthentication } from '@simplewebauthn/browser'
import type { Hex } from 'viem'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { useCancellableMutation } from '../api/use-cancellable-mutation.ts'
import { readServiceError } from '../errors/service-error.ts'
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
  /** The currency of `verified.tokenFee`. */
  readonly feeCurrency?: Currency
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
 * Has the service build an operation, and verifies the response. If the account lacks the network's own currency, it pays the
 * network fee in a token that the service takes and that the account has.
 *
 * @param replaced - it takes this operation's nonce, so that only one of the two can be included
 * @param paymasterData - `sponsored`: the service pays the fee if its budgets allow that
 * @throws WalletError if the response does not match the request; errors of the service
 */
export async function prepareOperation(
  session: Session,
  network: Network,
  calls: readonly Call[],
  signal: AbortSignal,
  paymasterData?: 'sponsored',
  replaced?: ReplacedOperation,
): Promise<PreparedOperation> {
  const build = (feeToken?: FeeToken) =>
    buildOperation(session, network, { calls, paymasterData, feeToken, replaced }, signal)
  try {
    return await build()
  } catch (error) {
    if (paymasterData || readServiceError(error)?.code !== 'INSUFFICIENT_FUNDS') throw error
    for (const token of await readFeeTokens(network, signal)) {
      const prepared = await build(token).catch((refusal: unknown) => {
        signal.throwIfAborted()
        if (readServiceError(refusal)) return undefined
        throw refusal
      })
      if (prepared) return prepared
    }
    // The missing funds are more useful to report than why a token cannot pay.
    throw error
  }
}

/** A token in which the network fee can be paid. */
type FeeToken = EndpointOutput<typeof endpoints.gas.tokens>['tokens'][number]

/** Those of a network, each once. None if the service cannot tell. */
async function readFeeTokens({ chainId }: Network, signal: AbortSignal): Promise<readonly FeeToken[]> {
  const { tokens } = await trpc.gas.tokens.query({}, { signal }).catch(() => ({ tokens: [] }))
  const here = tokens.filter(({ network }) => network === chainId)
  return [...new Map(here.map((one) => [one.token.toLowerCase(), one])).values()]
}

const toCurrency = ({ symbol, decimals, token }: FeeToken): Currency => ({ symbol, decimals, token })

interface OperationRequest {
  readonly calls: readonly Call[]
  readonly paymasterData: 'sponsored' | undefined
  readonly feeToken: FeeToken | undefined
  readonly replaced: ReplacedOperation | undefined
}

async function buildOperation(
  { username, account }: Session,
  network: Network,
  { calls, paymasterData, feeToken, replaced }: OperationRequest,
  signal: AbortSignal,
): Promise<PreparedOperation> {
  const { chainId } = network
  const answer = await trpc.webauthn.transactionOptions.mutate(
    {
      username,
      network: chainId,
      transactionDetails: toTransactionDetails(calls),
      paymasterData,
      feeToken: feeToken?.token,
      replaces: replaced?.userOpHash,
    },
    { signal },
  )
  const verified = verifyOperation(answer, {
    ...{ account, chainId, calls, paymasterData },
    feeToken: feeToken?.token,
    nonce: replaced?.nonce,
  })
  return {
    ...toPrepared(network, answer, verified),
    ...(paymasterData && { sponsored: true }),
    ...(feeToken && { feeCurrency: toCurrency(feeToken) }),
    ...(replaced && { replaced }),
  }
}

/** The authenticator's options, without the service's own fields. */
export function toPrepared(
  network: Network,
  answer: EndpointOutput<typeof endpoints.webauthn.transactionOptions>,
  verified: VerifiedOperation,
): PreparedOperation {
  const {
    userOp: _,
    order: __,
    validAfter: ___,
    validUntil: ____,
    tokenFee: _____,
    ...requestOptions
  } = answer
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
