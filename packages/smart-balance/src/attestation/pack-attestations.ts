import { type Address, concatHex, type Hex, hexToBigInt } from 'viem'
import { assertSize } from '../bytes.ts'
import { SmartBalanceError } from '../errors.ts'

export interface AttestorSignature {
  readonly attestor: Address
  /** 65 bytes: r ‖ s ‖ v. */
  readonly signature: Hex
}

/**
 * The proof for `AttestorSet.verify`: the signatures concatenated, ascending by attestor.
 *
 * @throws SmartBalanceError MALFORMED for a signature of another length; DUPLICATE if an attestor occurs
 * twice.
 */
export function packAttestations(signatures: readonly AttestorSignature[]): Hex {
  const ascending = signatures
    .map(({ attestor, signature }) => ({ key: hexToBigInt(attestor), attestor, signature }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  ascending.forEach(({ key, attestor, signature }, index) => {
    assertSize(signature, 65, 'signature')
    if (key === ascending[index + 1]?.key)
      throw new SmartBalanceError('DUPLICATE', `${attestor} attested twice.`, { details: { attestor } })
  })
  return concatHex(ascending.map(({ signature }) => signature))
}
