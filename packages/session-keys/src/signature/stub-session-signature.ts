import type { Hex } from 'viem'
import { encodeSessionSignature, type SessionSignatureParameters } from './encode-session-signature.ts'

/** r, s and v for which `ecrecover` returns some address, so that it costs as much as a real signature. */
const stubEcdsa: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`

/** r and s are in range, and no key's signature over any real hash. */
const stubP256: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}`

/**
 * The gas of validation that a stub does not show. Only if a contract's signature is valid does the Safe look
 * the contract up among its owners (a cold read) and return. (2,650 measured.) Add it to an estimated
 * verificationGasLimit.
 */
export const stubShortfallGas = 3_000n

/**
 * A session signature for gas estimation: exactly as long as the real one, at most {@link stubShortfallGas}
 * cheaper, and valid for no operation. Everything except the key's signature is really checked, so the
 * operation must be within the limits of the session in its current state, including its fee (gas limits of 0
 * cost nothing).
 *
 * On P-256, a wrong signature calls the precompile twice if there is one (6,900 gas instead of 3,450).
 * Otherwise it runs OpenZeppelin's Solidity, like the real one.
 */
export function stubSessionSignature(parameters: Omit<SessionSignatureParameters, 'signature'>): Hex {
  const signature = typeof parameters.key === 'string' ? stubEcdsa : stubP256
  return encodeSessionSignature({ ...parameters, signature })
}
