import type { Network } from '@lanyard/networks'
import { erc1271Abi } from '@lanyard/onchain'
import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  numberToHex,
  size,
  slice,
} from 'viem'
import { currentMeter } from '../../../platform/log/current-request.ts'

/** What the module gives a guardian's contract. */
const givenGas = 1_000_000n
/** Gas of the whole call: 63/64 of it reach the contract, and the rest pays for the question. */
const maxGas = 1_200_000n

/** bytes4, padded to a word. */
const accepted = `0x1626ba7e${'0'.repeat(56)}`

const word = (value: number) => numberToHex(value, { size: 2 })

/**
 * Code that asks a contract as the module does, and returns four words: the answer's first word, whether the call
 * succeeded, the length of the answer, the gas that it used. A call without `to` runs it and creates nothing.
 */
function encodeProbe(target: Address, query: Hex): Hex {
  const codeSize = 61
  return concat([
    ...(['0x61', word(size(query)), '0x61', word(codeSize), '0x608039'] as const), // CODECOPY to 0x80
    '0x5a', // GAS
    ...([
      '0x60205f61',
      word(size(query)),
      '0x608073',
      target,
      '0x62',
      numberToHex(givenGas, { size: 3 }),
    ] as const),
    '0xfa602052', // STATICCALL, its success to 0x20
    '0x3d604052', // RETURNDATASIZE to 0x40
    '0x5a9003606052', // what was used to 0x60
    '0x60805ff3', // RETURN 0x80 bytes
    query,
  ])
}

/**
 * What is wrong with a guardian's contract: it accepts a signature that nobody made, or uses all the gas that the module
 * gives it, for a signature that it should reject.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function probeContract(
  network: Network,
  guardian: Address,
): Promise<'ACCEPTS_ANYTHING' | 'BURNS_GAS' | undefined> {
  currentMeter()?.addGas(maxGas)
  const bytes = crypto.getRandomValues(new Uint8Array(97))
  const random = `0x${Buffer.from(bytes).toString('hex')}` as const
  const args = [slice(random, 0, 32), slice(random, 32)] as const
  const query = encodeFunctionData({ abi: erc1271Abi, functionName: 'isValidSignature', args })
  const data = encodeProbe(guardian, query)
  const answer = await network.call((client) => client.call({ data, gas: maxGas }))
  if (!answer.data || size(answer.data) !== 128) return undefined
  const [isSuccess, length, used] = [32, 64, 96].map((at) =>
    hexToBigInt(slice(answer.data ?? '0x', at, at + 32)),
  )
  if (isSuccess === 1n && (length ?? 0n) > 31n && slice(answer.data, 0, 32) === accepted)
    return 'ACCEPTS_ANYTHING'
  return (used ?? 0n) >= givenGas ? 'BURNS_GAS' : undefined
}
