import { type Hash, hashTypedData } from 'viem'
import { type AttestationHashParameters, getAttestationTypedData } from './get-attestation-typed-data.ts'

/** The digest that an attestor signs. */
export function getAttestationHash(parameters: AttestationHashParameters): Hash {
  return hashTypedData(getAttestationTypedData(parameters))
}
