import type { Hash } from 'viem'

/** The challenge of a passkey that signs a message: base64url of the SafeMessage hash. */
export const toMessageChallenge = (messageToSign: Hash): string =>
  Buffer.from(messageToSign.slice(2), 'hex').toString('base64url')
