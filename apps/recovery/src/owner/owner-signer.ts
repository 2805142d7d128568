import type { WebAuthnAssertion } from '@lanyard/accounts'
import type { Address, Hash, Hex, TypedDataDefinition } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

/** An owner's key: what signs, whatever it is kept in. */
export type OwnerSigner = EoaSigner | PasskeySigner

export interface EoaSigner {
  readonly kind: 'eoa'
  readonly address: Address
  /** EIP-712, which every wallet shows field by field. */
  readonly signTypedData: (message: TypedDataDefinition) => Promise<Hex>
}

export interface PasskeySigner {
  readonly kind: 'passkey'
  /** One ceremony with the hash as its challenge. */
  readonly assert: (hash: Hash) => Promise<WebAuthnAssertion>
}

/** A key in this process. */
export const eoaSigner = (account: PrivateKeyAccount): EoaSigner => ({
  kind: 'eoa',
  address: account.address,
  signTypedData: (message) => account.signTypedData(message),
})
