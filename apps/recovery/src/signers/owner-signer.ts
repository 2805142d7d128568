import type { AccountOwner } from '@lanyard/accounts'
import type { Address, Hex, PublicClient, TypedDataDefinition } from 'viem'
import type { AccountState } from '../account/read-account.ts'

interface SigningParameters {
  readonly client: PublicClient
  readonly account: Address
  readonly state: AccountState
  /** The message that the account's contract asks its owners to sign. */
  readonly message: TypedDataDefinition
}

/** Signs as an owner, wherever the key is stored. Each kind is a file here. */
export interface OwnerSigner {
  readonly kind: AccountOwner['kind']
  /** Gas that is enough to check one signature on any chain. */
  readonly verificationGas: bigint
  /**
   * Creates one owner's signature in the format of a Safe.
   *
   * @throws RecoveryError NOT_AN_OWNER, UNUSABLE_ASSERTION
   */
  sign(parameters: SigningParameters): Promise<Hex>
}
