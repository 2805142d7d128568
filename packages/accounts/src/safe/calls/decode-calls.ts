import { multiSendAbi, safe4337ModuleAbi } from '@lanyard/onchain'
import { decodeFunctionData, getAddress, type Hex, hexToBigInt, isAddressEqual, size, slice } from 'viem'
import type { Call } from '../../call.ts'
import { type Failure, failure } from '../../result.ts'
import { type AccountDeployment, safeDeployment } from '../deployment/deployment.ts'
import { encodeCalls } from './encode-calls.ts'
import { operationCode } from './encode-multi-send.ts'

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
  deployment: Pick<AccountDeployment, 'multiSendCallOnly'> = safeDeployment,
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
