import {
  type Address,
  concatHex,
  type Hash,
  type Hex,
  hashTypedData,
  hexToBigInt,
  type TypedDataDefinition,
} from 'viem'
import { assertSize } from './bytes.ts'
import { SmartBalanceError } from './errors.ts'

/** The outcome of an order on its output network: `Outcome` of IOutcomeVerifier.sol. */
export const outcomes = { none: 0, claimed: 1, failed: 2, unfunded: 3 } as const

/** An outcome that can be attested. An unfunded order owes nothing, so nothing is proven. */
export type Outcome = Exclude<keyof typeof outcomes, 'none' | 'unfunded'>

/** ATTESTATION_TYPEHASH of AttestorSet.sol. */
const attestationTypes = {
  Attestation: [
    { name: 'orderHash', type: 'bytes32' },
    { name: 'outcome', type: 'uint8' },
  ],
} as const

export interface AttestationHashParameters {
  readonly smartBalance: Address
  readonly orderHash: Hash
  readonly outcome: Outcome
}

/** The EIP-712 message that an attestor signs. Its domain has no chainId, so that one serves all sources. */
export function getAttestationTypedData({
  smartBalance,
  orderHash,
  outcome,
}: AttestationHashParameters): TypedDataDefinition<typeof attestationTypes, 'Attestation'> {
  return {
    domain: { name: 'SmartBalance', version: '1', verifyingContract: smartBalance },
    types: attestationTypes,
    primaryType: 'Attestation',
    message: { orderHash, outcome: outcomes[outcome] },
  }
}

/** The digest that an attestor signs. */
export function getAttestationHash(parameters: AttestationHashParameters): Hash {
  return hashTypedData(getAttestationTypedData(parameters))
}

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
