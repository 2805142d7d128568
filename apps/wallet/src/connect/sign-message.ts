import type { AccountMessage } from '@lanyard/accounts'
import { ceremonyBody, verifyMessageOptions } from '@lanyard/client'
import { startAuthentication } from '@simplewebauthn/browser'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import type { Network } from '../networks/use-networks.ts'
import type { KnownAccount } from '../session/known-account.ts'

type OptionsJSON = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** A message that waits for the passkey, after its challenge was computed on this device. */
export interface PreparedMessage {
  readonly message: AccountMessage
  readonly network: Network
  readonly optionsJSON: OptionsJSON
}

/** As requests write a message. */
const toBody = (message: AccountMessage) =>
  'typedData' in message
    ? // The schema has records that may change; nothing does.
      { typedData: message.typedData as never }
    : message

/** @throws WalletError NOT_VERIFIABLE where the challenge is not of this message; what the service throws */
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
  // The schema says `string` where the library knows the standard's literals.
  return { message, network, optionsJSON: options as OptionsJSON }
}

/** The account's signature. Asks the passkey once. */
export async function signMessage(
  { username }: KnownAccount,
  { message, network, optionsJSON }: PreparedMessage,
): Promise<Hex> {
  const assertion = await startAuthentication({ optionsJSON })
  const { signature } = await trpc.webauthn.messageVerify.mutate({
    ...ceremonyBody(assertion),
    username,
    network: network.chainId,
    ...toBody(message),
  })
  return signature
}
