import type { Call } from '@lanyard/accounts'
import { sessionKeysAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData } from 'viem'
import { type SessionKey, sessionKeyId } from '../session/session-key.ts'

/**
 * The only call of a session operation: pass it alone to `encodeCalls` of `@lanyard/accounts`. The contract
 * makes the account execute `calls`, all or none.
 */
export function encodeSessionExecute({
  sessionKeys,
  key,
  calls,
}: {
  sessionKeys: Address
  key: SessionKey
  calls: readonly Call[]
}): Call {
  const data = encodeFunctionData({
    abi: sessionKeysAbi,
    functionName: 'execute',
    args: [sessionKeyId(key), calls],
  })
  return { to: sessionKeys, value: 0n, data }
}
