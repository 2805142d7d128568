import type { Address, Hash, TypedDataDefinition } from 'viem'
import { type Outcome, outcomes } from './outcome.ts'

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
