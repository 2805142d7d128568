import { concat, encodeAbiParameters, type Hex, toHex } from 'viem'

export interface Round {
  readonly answer: bigint
  /** Unix seconds. */
  readonly updatedAt: number
  readonly description: string
}

const word = (value: bigint) => toHex(BigInt.asUintN(256, value), { size: 32 })

/** Bytecode of a fake Chainlink feed with 8 decimals: latestRoundData(), decimals() and description(). */
export function feedCode({ answer, updatedAt, description }: Round): Hex {
  const at = BigInt(updatedAt)
  return concat([
    '0x5f3560e01c', // load the selector
    '0x8063313ce56714602357', // decimals(): 0x23
    '0x80637284e41614602c57', // description(): 0x2c
    '0x60a060375f3960a05ff3', // otherwise the five words of a round, at 0x37
    '0x5b60085f5260205ff3',
    '0x5b606060d75f3960605ff3', // the three words of a string, at 0xd7
    ...[1n, answer, at, at, 1n].map(word),
    encodeAbiParameters([{ type: 'string' }], [description]),
  ])
}
