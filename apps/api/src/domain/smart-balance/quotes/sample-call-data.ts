import { concat, type Hex, keccak256, numberToHex, padHex, slice } from 'viem'

/**
 * Sample call data for estimating the L1 data fee before the real call data exists. Rollups charge for the
 * compressed size. In an operation with an order, or a settlement, about half the bytes are zeros (words with
 * small numbers and addresses), and half are hashes and signatures.
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
