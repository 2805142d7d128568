import type { Call } from '@lanyard/accounts'
import type { startAuthentication } from '@simplewebauthn/browser'
import { trpc } from '../api/trpc.ts'
import type { Network } from '../networks/use-networks.ts'
import { toTransactionDetails, type VerifiedOperation, verifyOperation } from '../passkey/verify-operation.ts'
import type { Session } from '../session/stored-session.ts'

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** An operation that waits for the passkey, after it was verified on this device. */
export interface PreparedOperation {
  readonly network: Network
  readonly verified: VerifiedOperation
  readonly requestOptions: RequestOptions
}

/**
 * Has the service build an operation and verifies what came back.
 *
 * @throws WalletError when it is not exactly what was asked for; what the service throws.
 */
export async function prepareOperation(
  { username, account }: Session,
  network: Network,
  calls: readonly Call[],
): Promise<PreparedOperation> {
  const { chainId } = network
  const answer = await trpc.webauthn.transactionOptions.mutate({
    username,
    network: chainId,
    transactionDetails: toTransactionDetails(calls),
  })
  const { userOp: _, ...requestOptions } = answer
  return {
    network,
    verified: verifyOperation(answer, { account, chainId, calls }),
    // The schema says `string` where the library knows the standard's literals.
    requestOptions: requestOptions as RequestOptions,
  }
}
