import type { AccountMessage } from '@lanyard/accounts'
import { type EndpointArguments, type endpoints, LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Hash } from 'viem'
import { offLoop } from '../../platform/off-loop/off-loop.ts'
import { type AnyWallet, accountOf } from '../accounts/accounts/wallet.ts'

/** The challenge of a passkey that signs a message: base64url of the SafeMessage hash. */
export const toMessageChallenge = (messageToSign: Hash): string =>
  Buffer.from(messageToSign.slice(2), 'hex').toString('base64url')

/** A message as requests contain it: exactly one of three members. */
type RequestedMessage = Pick<
  EndpointArguments<typeof endpoints.message.prepare>,
  'message' | 'rawMessage' | 'typedData'
>

/** The hashes of a message for an account on a network. */
export interface MessageHashes {
  /** The hash that a verifier passes to `isValidSignature`. */
  readonly messageHash: Hash
  /** What owners sign: the SafeMessage hash, or `messageHash` itself for an EOA that is the account. */
  readonly messageToSign: Hash
}

const invalid = (path: string, message: string) =>
  new LanyardError('INVALID_INPUT', { issues: [{ path, message }] })

/**
 * Hashes a requested message for an account on a network.
 *
 * @throws INVALID_INPUT for no message or several messages, and for typed data that does not match its types
 * or names another network
 */
export async function hashMessageFor(
  wallet: AnyWallet,
  { chainId }: Pick<Network, 'chainId'>,
  requested: RequestedMessage,
): Promise<MessageHashes> {
  const messageHash = await hashRequested(toAccountMessage(requested, chainId))
  return { messageHash, messageToSign: accountOf(wallet).hashMessage(messageHash, { chainId }) }
}

function toAccountMessage(
  { message, rawMessage, typedData }: RequestedMessage,
  chainId: number,
): AccountMessage {
  const given: AccountMessage[] = [
    ...(message === undefined ? [] : [{ message }]),
    ...(rawMessage === undefined ? [] : [{ rawMessage }]),
    ...(typedData === undefined ? [] : [{ typedData }]),
  ]
  const [only, ...others] = given
  if (only === undefined || others.length > 0)
    throw invalid('message', 'Send exactly one of message, rawMessage and typedData')
  const named = typedData?.domain?.chainId
  if (named !== undefined && !isChainId(named, chainId))
    throw invalid('typedData.domain.chainId', `The typed data is not for network ${chainId}`)
  return only
}

/** Accepts an integer, or its decimal or hex text. */
function isChainId(value: unknown, chainId: number): boolean {
  return (
    (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) &&
    Number(value) === chainId
  )
}

/** In another thread, because a large message takes tens of milliseconds. */
async function hashRequested(message: AccountMessage): Promise<Hash> {
  const hashed = await offLoop('hashMessage', message)
  if ('refusal' in hashed) throw invalid('typedData', hashed.refusal)
  return hashed.hash
}
