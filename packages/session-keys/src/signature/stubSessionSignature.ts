import type { Hex } from 'viem'
import { encodeSessionSignature, type SessionSignatureParameters } from './encodeSessionSignature.ts'

/** r, s and v with which `ecrecover` answers some address, so that it costs what a real signature costs. */
const stubEcdsa: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`

/** r and s in range, and of no key's signature over any hash that occurs. */
const stubP256: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}`

/**
 * What validation costs beyond what a stub shows, in gas: only after a contract's signature holds does the Safe
 * look the contract up among its owners (a cold read) and answer. (2,650 measured.) Add it to an estimated
 * verificationGasLimit.
 */
export const stubShortfallGas = 3_000n

/**
 * A session's signature to estimate gas with: exactly as long as the real one, at most {@link stubShortfallGas}
 * cheaper, valid for no operation. Everything but the key's signature is checked for good, so the operation must be
 * within the session as it stands, its fee included (gas limits of 0 cost nothing).
 *
 * On P-256, a wrong signature calls the precompile twice where there is one (6,900 gas instead of 3,450), and runs
 * OpenZeppelin's Solidity where there is none, as the real one does.
 */
export function stubSessionSignature(parameters: Omit<SessionSignatureParameters, 'signature'>): Hex {
  const signature = typeof parameters.key === 'string' ? stubEcdsa : stubP256
  return encodeSessionSignature({ ...parameters, signature })
}
