import {
  type AccountDeployment,
  type AccountMessage,
  defaultDeployment,
  getSafeMessageHash,
  hashAccountMessage,
} from '@lanyard/accounts'
import { type Address, bytesToHex, type Hash } from 'viem'
import { accountOf, type ExpectedOwner } from '../account-of.ts'
import { fromBase64Url } from '../base64url.ts'
import { toChainId } from '../to-chain-id.ts'
import { BuildVerificationError } from '../verification-error.ts'

/** The response of `webauthn.messageOptions`. None of it is trusted. */
export interface MessageOptions {
  /** base64url of the 32 bytes that the passkey signs. */
  readonly challenge: string
}

export interface VerifyMessageOptionsParameters {
  readonly options: MessageOptions
  /** The requested message. */
  readonly request: AccountMessage
  /** The account's first passkey, or the account's address if only that is known from an earlier visit. */
  readonly owner: ExpectedOwner
  /** The requested network, in any form that requests accept. */
  readonly network: string | number
  /** Default: the canonical contracts. */
  readonly deployment?: AccountDeployment
}

/** The verified content of a challenge. */
export interface VerifiedMessage {
  readonly account: Address
  /** The hash that a verifier passes to `isValidSignature`. */
  readonly messageHash: Hash
  /** The recomputed SafeMessage hash: the 32 bytes to sign. */
  readonly hash: Hash
}

/**
 * Recomputes the challenge from the message, the account and the network. Call it before
 * `startAuthentication`: a person cannot read a challenge, and the service could send the hash of an
 * operation instead of a message.
 *
 * @example
 * const { messageHash, deployed, ...optionsJSON } = await lanyard.webauthn.messageOptions({ username, network, message })
 * verifyMessageOptions({ options: optionsJSON, request: { message }, owner, network })
 * const assertion = await startAuthentication({ optionsJSON })
 * @throws BuildVerificationError if the challenge does not belong to the message
 * @throws AccountsError MALFORMED if typed data does not match its types
 */
export function verifyMessageOptions({
  options,
  request,
  owner,
  network,
  deployment = defaultDeployment,
}: VerifyMessageOptionsParameters): VerifiedMessage {
  const account = accountOf(owner, deployment)
  const messageHash = hashAccountMessage(request)
  const hash = getSafeMessageHash(messageHash, { chainId: toChainId(network), account })
  const isBase64Url = /^[A-Za-z0-9_-]{43}$/.test(options.challenge)
  if (!isBase64Url || bytesToHex(fromBase64Url(options.challenge)) !== hash)
    throw new BuildVerificationError('challenge', `the message's hash is ${hash}`)
  return { account, messageHash, hash }
}
