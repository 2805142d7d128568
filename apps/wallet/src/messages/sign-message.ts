import type { AccountMessage } from '@lanyard/accounts'
import { ceremonyBody, verifyMessageOptions } from '@lanyard/client'
import { startAuthentication } from '@simplewebauthn/browser'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import type { Network } from '../networks/use-networks.ts'
import { requireConnection } from '../passkey/require-connection.ts'
import type { KnownAccount } from '../sign-in/known-account.ts'

type OptionsJSON = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** A message ready for the passkey: its challenge was computed on this device. */
export interface PreparedMessage {
  readonly message: AccountMessage
  readonly network: Network
  readonly optionsJSON: OptionsJSON
}

/** Converts a message to the format of requests. */
const toBody = (message: AccountMessage) =>
  'typedData' in message
    ? // The schema's types are mutable; nothing is mutated here.
      { typedData: message.typedData as never }
    : message

/**
 * @throws WalletError NOT_VERIFIABLE if the challenge does not belong to the message; errors of the service
 */
export async function prepareMessage(
  { username, account }: KnownAccount,
  network: Network,
  message: AccountMessage,
  signal: AbortSignal,
): Promise<PreparedMessage> {
  const {
    messageHash: _,
    deployed: __,
    ...options
  } = await trpc.webauthn.messageOptions.mutate(
    { username, network: network.chainId, ...toBody(message) },
    { signal },
  )
  try {
    const owner = { kind: 'account', address: account } as const
    verifyMessageOptions({ options, request: message, owner, network: network.chainId })
  } catch (cause) {
    throw new WalletError('NOT_VERIFIABLE', { cause })
  }
  // The schema has `string` where the library has the standard's literals.
  return { message, network, optionsJSON: options as OptionsJSON }
}

/** Creates the account's signature with one passkey prompt. */
export async function signMessage(
  { username }: KnownAccount,
  { message, network, optionsJSON }: PreparedMessage,
): Promise<Hex> {
  await requireConnection()
  const assertion = await startAuthentication({ optionsJSON })
  const { signature } = await trpc.webauthn.messageVerify.mutate({
    ...ceremonyBody(assertion),
    username,
    network: network.chainId,
    ...toBody(message),
  })
  return signature
}
