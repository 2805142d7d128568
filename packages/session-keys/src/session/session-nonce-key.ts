import { type Hex, hexToBigInt } from 'viem'

/**
 * The nonce key of a session's operations: the lower 192 bits of its id (`SessionState.id`, or the event
 * `SessionGranted`). Each grant has a new id, so operations of an earlier session of the same key are void.
 */
export function sessionNonceKey(sessionId: Hex): bigint {
  return BigInt.asUintN(192, hexToBigInt(sessionId))
}
