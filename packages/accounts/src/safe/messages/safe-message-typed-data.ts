import type { Address, Hash, TypedDataDefinition } from 'viem'

/** `SafeMessage` of CompatibilityFallbackHandler 1.4.1 (SAFE_MSG_TYPEHASH), which Safe4337Module 0.3.0 inherits. */
const safeMessageTypes = { SafeMessage: [{ name: 'message', type: 'bytes' }] } as const

/** Where a message signature is valid: one account on one chain. */
export interface SafeMessageContext {
  readonly chainId: number
  readonly account: Address
}

/**
 * The EIP-712 message that an owner signs so that the account signs a message; give it to a wallet's `signTypedData`.
 *
 * @param messageHash what the verifier passes to `isValidSignature`: {@link hashAccountMessage}
 */
export function safeMessageTypedData(
  messageHash: Hash,
  { chainId, account }: SafeMessageContext,
): TypedDataDefinition<typeof safeMessageTypes, 'SafeMessage'> {
  return {
    domain: { chainId, verifyingContract: account },
    types: safeMessageTypes,
    primaryType: 'SafeMessage',
    message: { message: messageHash }, // abi.encode(bytes32) is those 32 bytes
  }
}
