import { recoverOwnerSignature } from '@lanyard/accounts'
import { type Address, type Hex, hashTypedData, isAddressEqual, type TypedDataDefinition } from 'viem'
import { RecoveryError } from '../recovery-error.ts'
import type { OwnerSigner } from './owner-signer.ts'

interface Eoa {
  readonly address: Address
  /** EIP-712: every wallet shows it field by field. */
  readonly signTypedData: (message: TypedDataDefinition) => Promise<Hex>
}

/** A key held by this process, or by a wallet. */
export const eoaSigner = ({ address, signTypedData }: Eoa): OwnerSigner => ({
  kind: 'eoa',
  verificationGas: 120_000n,
  async sign({ state, message }) {
    if (!state.eoas.some((owner) => isAddressEqual(owner, address))) {
      const owners = state.eoas.length > 0 ? state.eoas.join(', ') : 'none'
      throw new RecoveryError(
        'NOT_AN_OWNER',
        `${address} is not an owner of the account on this network. The addresses that are: ${owners}.`,
      )
    }
    const signature = await signTypedData(message)
    const recovered = await recoverOwnerSignature({ hash: hashTypedData(message), owner: address, signature })
    if (recovered.ok) return recovered.signature
    throw new RecoveryError('NOT_AN_OWNER', recovered.message)
  },
})
