import { type Hash, hashTypedData } from 'viem'
import { type SafeMessageContext, safeMessageTypedData } from './safe-message-typed-data.ts'

/**
 * The 32 bytes that an owner signs for a message: `CompatibilityFallbackHandler.getMessageHashForSafe`. A
 * passkey signs it as the challenge.
 *
 * @param messageHash what the verifier passes to `isValidSignature`: {@link hashAccountMessage}
 */
export function getSafeMessageHash(messageHash: Hash, context: SafeMessageContext): Hash {
  return hashTypedData(safeMessageTypedData(messageHash, context))
}
