import type { Hex } from 'viem'
import type { SessionKeySigner } from './session-key-signer.ts'
import { type VerifySessionBuildParameters, verifySessionBuild } from './verify-session-build.ts'

export interface SignSessionBuildParameters extends Omit<VerifySessionBuildParameters, 'key'> {
  readonly signer: SessionKeySigner
}

/**
 * Verifies a build, and only then signs it as a session: what `smartAccount.submit` takes with
 * `signatureType: 'SESSION_KEY'`.
 *
 * @returns 65 bytes, or 64 of a P-256 key
 * @throws BuildVerificationError when the build is not what was asked for; nothing was signed then
 */
export async function signSessionBuild({ signer, ...parameters }: SignSessionBuildParameters): Promise<Hex> {
  const { hash } = verifySessionBuild({ ...parameters, key: signer.key })
  return signer.sign(hash)
}
