import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { SessionKey } from '@lanyard/session-keys'
import { type Address, numberToHex } from 'viem'

/** The data about the signing session that an operation's row stores. */
interface StoredSession {
  /** The contract, stored because the configuration may change while the operation is pending. */
  readonly sessionKeys: Address
  readonly key: Address | { readonly x: string; readonly y: string }
}

/** The value for the column `session_key`. */
export function toStoredSession({
  key,
  sessionKeys,
}: {
  readonly key: SessionKey
  readonly sessionKeys: Address
}): StoredSession {
  return {
    sessionKeys,
    key: typeof key === 'string' ? key : { x: numberToHex(key.x), y: numberToHex(key.y) },
  }
}

/** @throws INTERNAL for a row of another sign mode */
export function fromStoredSession({
  session_key,
  user_op_hash,
}: Partial<Pick<OperationRow, 'session_key' | 'user_op_hash'>>): {
  readonly key: SessionKey
  readonly sessionKeys: Address
} {
  if (session_key == null) {
    throw new LanyardError('INTERNAL', { cause: `operation ${user_op_hash} has no session` })
  }
  const { key, sessionKeys } = session_key as StoredSession // only toStoredSession writes the column
  return {
    sessionKeys,
    key: typeof key === 'string' ? key : { x: BigInt(key.x), y: BigInt(key.y) },
  }
}
