import {
  type AccountDeployment,
  type AccountMessage,
  hashAccountMessage,
  safeDeployment,
  safeMessageTypedData,
} from '@lanyard/accounts'
import { type Account, type Address, type Hex, stringify } from 'viem'
import { accountOf } from '../account-of.ts'
import type { LanyardClient } from '../client.ts'
import type { MessageFinishData, MessageSignature } from '../generated/types.gen.ts'
import { addressOf } from '../sign-build.ts'
import { toChainId } from '../to-chain-id.ts'

type SafeMessage = ReturnType<typeof safeMessageTypedData>

/** A viem account that signs by itself. */
interface SigningAccount {
  readonly address: Address
  signTypedData(parameters: SafeMessage): Promise<Hex>
}

/** A viem wallet client: the wallet asks its user. */
interface SigningWallet {
  readonly account: Account | undefined
  signTypedData(parameters: SafeMessage & { account: Account | Address }): Promise<Hex>
}

/** Who signs: an EOA that owns the account, or a wallet client that has it. */
export type MessageSigner = SigningAccount | SigningWallet

export interface SignAccountMessageParameters {
  readonly signer: MessageSigner
  readonly request: AccountMessage
  /** Where the signature counts, in any form that requests take. */
  readonly network: string | number
  /** The account. Default: the one that was made with the signer. */
  readonly account?: Address | undefined
  /** Default: the canonical contracts. */
  readonly deployment?: AccountDeployment
}

/**
 * An account's signature over a message, made by an EOA that owns it. The typed data that the wallet shows and signs is
 * computed here, so the service cannot have anything else signed.
 *
 * @example
 * const { signature } = await signAccountMessage(lanyard, {
 *   signer: privateKeyToAccount(key),
 *   network: '31337',
 *   request: { message: 'Hello' },
 * })
 * @throws LanyardApiError, AccountsError MALFORMED for typed data that does not fit its types, TypeError for a wallet
 * client without an account
 */
export async function signAccountMessage(
  client: LanyardClient,
  { signer, request, network, account, deployment = safeDeployment }: SignAccountMessageParameters,
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

/** The message as a request brings it: JSON has no bigint. */
function toBody(
  request: AccountMessage,
): Pick<MessageFinishData['body'], 'message' | 'rawMessage' | 'typedData'> {
  return JSON.parse(stringify(request))
}
