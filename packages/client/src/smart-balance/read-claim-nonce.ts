import { type Hex, hexToBigInt, isHex, size, slice } from 'viem'

/**
 * The nonce in the call data of `claim(uint256)`, which the caller compares with the whole encoding.
 *
 * @returns undefined where it is no such call data
 */
export function readClaimNonce(data: string): bigint | undefined {
  if (!isHex(data) || size(data) !== 36) return undefined
  const argument: Hex = slice(data, 4)
  return hexToBigInt(argument)
}
