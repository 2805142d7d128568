import { type Address, type Hash, hashTypedData, type TypedDataDefinition } from 'viem'
import { assertUint } from '../words.ts'

/** What a guardian shows: that they can sign for an account, at a time. */
export interface GuardianProof {
  /** The account that the guardian is to help. */
  readonly account: Address
  /** The address that is named in the guardian set: an EOA, or a passkey's signer contract. */
  readonly guardian: Address
  /** Unix seconds. */
  readonly time: number
}

const guardianProofTypes = {
  GuardianProof: [
    { name: 'account', type: 'address' },
    { name: 'guardian', type: 'address' },
    { name: 'time', type: 'uint64' },
  ],
} as const

/**
 * What a guardian signs to answer an invitation or to practise; give it to a wallet's `signTypedData`. It is signed exactly as a
 * recovery, so who can sign the one can sign the other. No contract knows its domain: it starts nothing.
 *
 * @throws AccountsError OUT_OF_RANGE
 */
export function guardianProofTypedData({
  account,
  guardian,
  time,
}: GuardianProof): TypedDataDefinition<typeof guardianProofTypes, 'GuardianProof'> {
  assertUint(BigInt(time), 64, 'time')
  return {
    domain: { name: 'Lanyard guardian proof', version: '1' },
    types: guardianProofTypes,
    primaryType: 'GuardianProof',
    message: { account, guardian, time: BigInt(time) },
  }
}

/** The hash that a guardian signs: a passkey's challenge. */
export const getGuardianProofHash = (proof: GuardianProof): Hash =>
  hashTypedData(guardianProofTypedData(proof))
