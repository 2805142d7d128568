import type { WebAuthnAssertion } from '@lanyard/accounts'
import type { Address, Hash, Hex, TypedDataDefinition } from 'viem'
import type { SecretAccount } from './account-of-secret.ts'

/** Signs as an owner, wherever the key is stored. */
export type OwnerSigner = EoaSigner | PasskeySigner

export interface EoaSigner {
  readonly kind: 'eoa'
  readonly address: Address
  /** EIP-712: every wallet shows it field by field. */
  readonly signTypedData: (message: TypedDataDefinition) => Promise<Hex>
}

export interface PasskeySigner {
  readonly kind: 'passkey'
  /** Runs one WebAuthn ceremony with the hash as its challenge. */
  readonly assert: (hash: Hash) => Promise<WebAuthnAssertion>
}

/** A key held by this process. */
export const eoaSigner = (account: SecretAccount): EoaSigner => ({
  kind: 'eoa',
  address: account.address,
  signTypedData: (message) => account.signTypedData(message),
})
