import {
  type AccountDeployment,
  type AccountMessage,
  getSafeMessageHash,
  hashAccountMessage,
  safeDeployment,
} from '@lanyard/accounts'
import { type Address, bytesToHex, type Hash } from 'viem'
import { accountOf, type ExpectedOwner } from '../account-of.ts'
import { fromBase64Url } from '../base64url.ts'
import { toChainId } from '../to-chain-id.ts'
import { BuildVerificationError } from '../verification-error.ts'

/** What `webauthn.messageOptions` answered. Nothing about it is trusted. */
export interface MessageOptions {
  /** base64url of the 32 bytes that the passkey would sign. */
  readonly challenge: string
}

export interface VerifyMessageOptionsParameters {
  readonly options: MessageOptions
  /** The message that was asked for. */
  readonly request: AccountMessage
  /** The account's first passkey, or the account's address where an earlier visit left only that. */
  readonly owner: ExpectedOwner
  /** The network that was asked for, in any form that requests take. */
  readonly network: string | number
  /** Default: the canonical contracts. */
  readonly deployment?: AccountDeployment
}

/** What a verified challenge stands for. */
export interface VerifiedMessage {
  readonly account: Address
  /** What a verifier passes to `isValidSignature`. */
  readonly messageHash: Hash
  /** The SafeMessage hash as recomputed here: the 32 bytes to sign. */
  readonly hash: Hash
}

/**
 * Recomputes the challenge from the message, the account and the network. Call it before `startAuthentication`: a
 * person cannot read a challenge, and the service could pass the hash of an operation off as that of a message.
 *
 * @example
 * const { messageHash, deployed, ...optionsJSON } = await lanyard.webauthn.messageOptions({ username, network, message })
 * verifyMessageOptions({ options: optionsJSON, request: { message }, owner, network })
 * const assertion = await startAuthentication({ optionsJSON })
 * @throws BuildVerificationError when the challenge is not of this message
 * @throws AccountsError MALFORMED for typed data that does not fit its types
 */
export function verifyMessageOptions({
  options,
  request,
  owner,
  network,
  deployment = safeDeployment,
}: VerifyMessageOptionsParameters): VerifiedMessage {
  const account = accountOf(owner, deployment)
  const messageHash = hashAccountMessage(request)
  const hash = getSafeMessageHash(messageHash, { chainId: toChainId(network), account })
  const isBase64Url = /^[A-Za-z0-9_-]{43}$/.test(options.challenge)
  if (!isBase64Url || bytesToHex(fromBase64Url(options.challenge)) !== hash)
    throw new BuildVerificationError('challenge', `the message's hash is ${hash}`)
  return { account, messageHash, hash }
}
