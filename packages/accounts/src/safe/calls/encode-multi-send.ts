import { multiSendAbi } from '@lanyard/onchain'
import { concatHex, encodeFunctionData, encodePacked, type Hex, size } from 'viem'
import { assertUint } from '../../assert-uint.ts'
import type { Call } from '../../call.ts'

/** Safe's `Enum.Operation`. */
export const operationCode = { call: 0, delegatecall: 1 } as const

/** A call of a MultiSend batch. MultiSendCallOnly reverts on a delegatecall. */
export type MultiSendTransaction = Call & { readonly operation: keyof typeof operationCode }

/**
 * The call data of `multiSend(bytes)`: each transaction packed as uint8 operation ‖ address to ‖ uint256 value ‖
 * uint256 length ‖ data (MultiSend.sol).
 *
 * @throws AccountsError OUT_OF_RANGE for a value over 256 bits.
 */
export function encodeMultiSend(transactions: readonly MultiSendTransaction[]): Hex {
  return encodeFunctionData({
    abi: multiSendAbi,
    functionName: 'multiSend',
    args: [concatHex(transactions.map(encodeTransaction))],
  })
}

function encodeTransaction({ operation, to, value, data }: MultiSendTransaction): Hex {
  assertUint(value, 256, 'value')
  return encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [operationCode[operation], to, value, BigInt(size(data)), data],
  )
}
