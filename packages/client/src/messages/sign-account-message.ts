import {
  type AccountDeployment,
  type AccountMessage,
  defaultDeployment,
  hashAccountMessage,
  safeMessageTypedData,
} from '@lanyard/accounts'
import { type Account, type Address, type Hex, stringify } from 'viem'
import { accountOf } from '../account-of.ts'
import type { LanyardClient } from '../client.ts'
import type { MessageFinishData, MessageSignature } from '../generated/types.gen.ts'
import { addressOf } from '../sign-build.ts'
import { toChainId } from '../to-chain-id.ts'

type SafeMessage = ReturnType<typeof safeMessageTypedData>

/** A viem account that signs locally. */
interface SigningAccount {
  readonly address: Address
  signTypedData(parameters: SafeMessage): Promise<Hex>
}

/** A viem wallet client, whose wallet prompts its user. */
interface SigningWallet {
  readonly account: Account | undefined
  signTypedData(parameters: SafeMessage & { account: Account | Address }): Promise<Hex>
}

/** The signer: an EOA that owns the account, or a wallet client with that EOA. */
export type MessageSigner = SigningAccount | SigningWallet

export interface SignAccountMessageParameters {
  readonly signer: MessageSigner
  readonly request: AccountMessage
  /** The network on which the signature is valid, in any form that requests accept. */
  readonly network: string | number
  /** The account. Default: the account created with the signer as its first owner. */
  readonly account?: Address | undefined
  /** Default: the canonical contracts. */
  readonly deployment?: AccountDeployment
}

/**
 * Signs a message for an account with an EOA that owns it. The typed data that the wallet shows and signs is
 * computed here, so the service cannot substitute anything.
 *
 * @example
 * const { signature } = await signAccountMessage(lanyard, {
 *   signer: privateKeyToAccount(key),
 *   network: '31337',
 *   request: { message: 'Hello' },
 * })
 * @throws LanyardApiError, AccountsError MALFORMED if typed data does not match its types, TypeError if a
 * wallet client has no account
 */
export async function signAccountMessage(
  client: LanyardClient,
  { signer, request, network, account, deployment = defaultDeployment }: SignAccountMessageParameters,
): Promise<MessageSignature> {
  const owner = addressOf(signer)
  const walletAddress = account ?? accountOf({ kind: 'eoa', address: owner }, deployment)
  const typedData = safeMessageTypedData(hashAccountMessage(request), {
    chainId: toChainId(network),
    account: walletAddress,
  })
  const signature = isAccount(signer)
    ? await signer.signTypedData(typedData)
    : await signer.signTypedData({ ...typedData, account: owner })
  return client.message.finish({ walletAddress, network: String(network), ...toBody(request), signature })
}

const isAccount = (signer: MessageSigner): signer is SigningAccount => 'address' in signer

/** Converts the message to a request body: JSON has no bigint. */
function toBody(
  request: AccountMessage,
): Pick<MessageFinishData['body'], 'message' | 'rawMessage' | 'typedData'> {
  return JSON.parse(stringify(request))
}
