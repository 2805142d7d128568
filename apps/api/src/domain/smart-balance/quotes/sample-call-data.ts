import { concat, type Hex, keccak256, numberToHex, padHex, slice } from 'viem'

/**
 * Call data as it is before there is any, for the fee of L1 data: rollups charge for what compression leaves, and of
 * an operation with an order, or of a settlement, about half the bytes are zeros (words that hold small numbers and
 * addresses), half are hashes and signatures.
 *
 * @param length - bytes
 */
export function sampleCallData(length: number): Hex {
  const words = Array.from({ length: Math.ceil(length / 64) }, (_, index) => {
    const hash = keccak256(numberToHex(index))
    return concat([hash, padHex(slice(hash, 0, 4), { size: 32 })])
  })
  return slice(concat(words), 0, length)
}
