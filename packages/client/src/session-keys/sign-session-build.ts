import type { Hex } from 'viem'
import type { SessionKeySigner } from './session-key-signer.ts'
import { type VerifySessionBuildParameters, verifySessionBuild } from './verify-session-build.ts'

export interface SignSessionBuildParameters extends Omit<VerifySessionBuildParameters, 'key'> {
  readonly signer: SessionKeySigner
}

/**
 * Verifies a build, and only then signs it with the session key. Pass the signature to `smartAccount.submit`
 * with `signatureType: 'SESSION_KEY'`.
 *
 * @returns 65 bytes, or 64 bytes for a P-256 key
 * @throws BuildVerificationError if the build does not match the request; nothing is signed then
 */
export async function signSessionBuild({ signer, ...parameters }: SignSessionBuildParameters): Promise<Hex> {
  const { hash, typedData } = verifySessionBuild({ ...parameters, key: signer.key })
  return signer.sign(hash, typedData)
}
