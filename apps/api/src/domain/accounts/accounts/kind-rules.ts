import type { UserOperation } from '@lanyard/accounts'
import type { EndpointResult, endpoints } from '@lanyard/contracts'
import type { OperationRow, StoredAuthorization } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'

/** What the owner signs besides the hash, or in its place. */
type SigningTerms = Partial<
  Pick<EndpointResult<typeof endpoints.smartAccount.build>, 'typedData' | 'authorization'>
>

/** What a kind of account asks of a request that makes an operation. `SmartAccount` has what depends on no chain. */
export interface KindRules {
  /**
   * Checks that the account can have an operation on a network.
   *
   * @param replaces - whether the operation may switch the account from another contract
   * @returns what its owner signs besides the hash
   * @throws UNSUPPORTED_ACCOUNT_KIND, DELEGATED_ELSEWHERE, NETWORK_UNAVAILABLE, NETWORK_FAILED
   */
  requireUsable(network: Network, replaces?: boolean): Promise<(operation: UserOperation) => SigningTerms>
  /**
   * The authorisation to send a signed operation with, verified.
   *
   * @throws INVALID_AUTHORIZATION, NETWORK_UNAVAILABLE, NETWORK_FAILED
   */
  requireAuthorization(
    networks: Pick<Networks, 'get'>,
    row: OperationRow,
    given: StoredAuthorization | undefined,
  ): Promise<StoredAuthorization | undefined>
}
