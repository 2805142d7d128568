import { type Hex, hexToBigInt, isHex, size, slice } from 'viem'

/**
 * Reads the nonce in the call data of `claim(uint256)`. The caller compares it with the complete encoding.
 *
 * @returns undefined if the data is not such a call
 */
export function readClaimNonce(data: string): bigint | undefined {
  if (!isHex(data) || size(data) !== 36) return undefined
  const argument: Hex = slice(data, 4)
  return hexToBigInt(argument)
}
