import { safe4337ModuleAbi } from '@lanyard/onchain'
import { encodeFunctionData, type Hex } from 'viem'
import { assertUint } from '../../assert-uint.ts'
import type { Call } from '../../call.ts'
import { type AccountDeployment, safeDeployment } from '../deployment/deployment.ts'
import { encodeMultiSend, operationCode } from './encode-multi-send.ts'

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
  { multiSendCallOnly }: Pick<AccountDeployment, 'multiSendCallOnly'> = safeDeployment,
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
