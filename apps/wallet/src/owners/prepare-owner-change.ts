import type { Call } from '@lanyard/accounts'
import type { Session } from '../api/stored-session.ts'
import { readServiceError } from '../errors/service-error.ts'
import type { Network } from '../networks/use-networks.ts'
import { type PreparedOperation, prepareOperation } from '../operation/prepare-operation.ts'

/**
 * Prepares an owner change on one network. If the account cannot pay the fee, it asks the service to pay:
 * people tend to forget networks on which they have no money.
 *
 * @throws like {@link prepareOperation}; INSUFFICIENT_FUNDS if the service does not pay either
 */
export async function prepareOwnerChange(
  session: Session,
  network: Network,
  calls: readonly Call[],
  signal: AbortSignal,
): Promise<PreparedOperation> {
  try {
    return await prepareOperation(session, network, calls, signal)
  } catch (error) {
    if (readServiceError(error)?.code !== 'INSUFFICIENT_FUNDS') throw error
    try {
      return await prepareOperation(session, network, calls, signal, 'sponsored')
    } catch (rejection) {
      // The account's missing funds are more useful to report than the sponsor's refusal.
      throw readServiceError(rejection)?.code === 'PAYMASTER_REFUSED' ? error : rejection
    }
  }
}
