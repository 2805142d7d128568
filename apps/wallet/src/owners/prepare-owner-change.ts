import type { Call } from '@lanyard/accounts'
import { readServiceError } from '../errors/service-error.ts'
import type { Network } from '../networks/use-networks.ts'
import { type PreparedOperation, prepareOperation } from '../operation/prepare-operation.ts'
import type { Session } from '../session/stored-session.ts'

/**
 * Prepares a change of owners on one network. Where the account holds nothing for the fee, the service is asked to pay:
 * a network without money is the one that is forgotten otherwise.
 *
 * @throws as {@link prepareOperation}; INSUFFICIENT_FUNDS where the service does not pay either.
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
    } catch (refusal) {
      // What the account lacks says more than why somebody else does not pay.
      throw readServiceError(refusal)?.code === 'PAYMASTER_REFUSED' ? error : refusal
    }
  }
}
