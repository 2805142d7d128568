import { multiSendAbi, safe4337ModuleAbi } from '@lanyard/onchain'
import {
  concatHex,
  decodeFunctionData,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  size,
  slice,
} from 'viem'
import type { Call } from '../call.ts'
import { type Failure, failure } from '../result.ts'
import { assertUint } from '../words.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'

/**
 * A user operation's `callData` that makes `calls` in order, all or none.
 *
 * A single call is made directly; several go through a delegatecall of MultiSendCallOnly. An empty list
 * becomes an empty batch, for an operation that only deploys (the module rejects empty `callData`). The call
 * is always wrapped in `executeUserOpWithErrorString`, so that EntryPoint's UserOperationRevertReason
 * contains the revert reason.
 *
 * @throws AccountsError OUT_OF_RANGE for a value over 256 bits.
 */
export function encodeCalls(
  calls: readonly Call[],
  { multiSendCallOnly }: Pick<AccountDeployment, 'multiSendCallOnly'> = defaultDeployment,
): Hex {
  const [first, ...rest] = calls
  if (first !== undefined && rest.length === 0) return encodeExecution(first, 'call')
  const batch = encodeMultiSend(calls.map((call) => ({ ...call, operation: 'call' })))
  return encodeExecution({ to: multiSendCallOnly, value: 0n, data: batch }, 'delegatecall')
}

function encodeExecution({ to, value, data }: Call, operation: keyof typeof operationCode): Hex {
  assertUint(value, 256, 'value')
  return encodeFunctionData({
    abi: safe4337ModuleAbi,
    functionName: 'executeUserOpWithErrorString',
    args: [to, value, data, operationCode[operation]],
  })
}

/** Safe's `Enum.Operation`. */
export const operationCode = { call: 0, delegatecall: 1 } as const

/** A call of a MultiSend batch. MultiSendCallOnly reverts on a delegatecall. */
type MultiSendTransaction = Call & { readonly operation: keyof typeof operationCode }

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

export type DecodeCallsResult =
  | { readonly ok: true; readonly calls: readonly Call[] }
  | Failure<
      /** Not a call of the module's `executeUserOpWithErrorString`. */
      | 'NOT_AN_EXECUTION'
      /** A delegatecall to anything but MultiSendCallOnly: it could take the account over. */
      | 'DELEGATECALL'
      /** The right kind of call, but not byte for byte what {@link encodeCalls} returns. */
      | 'NOT_CANONICAL'
    >

/**
 * The exact inverse of {@link encodeCalls}. If it returns `ok`, `encodeCalls(calls)` equals `callData` byte
 * for byte, so what a user is shown is all that the operation can do.
 */
export function decodeCalls(
  callData: Hex,
  deployment: Pick<AccountDeployment, 'multiSendCallOnly'> = defaultDeployment,
): DecodeCallsResult {
  const lowerCase = callData.toLowerCase() as Hex // hex in lower case is still hex
  const execution = decodeExecution(lowerCase)
  if (execution === undefined)
    return failure('NOT_AN_EXECUTION', 'The call data is not an execution of the Safe 4337 module.')
  const { operation, ...call } = execution
  const isBatch = operation === operationCode.delegatecall
  if (isBatch && !isAddressEqual(call.to, deployment.multiSendCallOnly))
    return failure('DELEGATECALL', `The call data delegates to ${call.to}, which is not MultiSendCallOnly.`)

  const calls = isBatch ? decodeBatch(call.data) : [call]
  if (calls === undefined || encodeCalls(calls, deployment) !== lowerCase)
    return failure(
      'NOT_CANONICAL',
      'The call data is not encoded in the way that this account encodes calls.',
    )
  return { ok: true, calls }
}

function decodeExecution(data: Hex): (Call & { operation: number }) | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: safe4337ModuleAbi, data })
    if (functionName !== 'executeUserOpWithErrorString') return undefined
    const [to, value, callData, operation] = args
    return { to, value, data: callData, operation }
  } catch {
    return undefined // viem throws on an unknown selector and on arguments that do not decode
  }
}

function decodeBatch(data: Hex): Call[] | undefined {
  try {
    const [transactions] = decodeFunctionData({ abi: multiSendAbi, data }).args
    return [...decodeTransactions(transactions)]
  } catch {
    return undefined // see above; slice() throws on offsets beyond the end
  }
}

/**
 * Walks MultiSend's packing. The comparison with the canonical encoding checks the operation byte and catches
 * truncated data.
 */
function* decodeTransactions(transactions: Hex): Generator<Call> {
  const end = size(transactions)
  for (let offset = 0; offset < end; ) {
    const dataStart = offset + 85 // 1 operation, 20 to, 32 value, 32 length
    const length = Number(hexToBigInt(slice(transactions, offset + 53, dataStart)))
    yield {
      to: getAddress(slice(transactions, offset + 1, offset + 21)),
      value: hexToBigInt(slice(transactions, offset + 21, offset + 53)),
      data: length === 0 ? '0x' : slice(transactions, dataStart, dataStart + length),
    }
    offset = dataStart + length
  }
}
