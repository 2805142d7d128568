import {
  type Address,
  getTypesForEIP712Domain,
  hashTypedData,
  isAddressEqual,
  serializeTypedData,
} from 'viem'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { ExplainedError } from '../errors/error-text.ts'
import { WalletError } from '../errors/wallet-error.ts'
import type { Guardian } from '../guardians/guardian.ts'
import { passkeyOf, signAsPasskey } from '../guardians/sign-as-guardian.ts'
import { t } from '../i18n/t.ts'
import { prepareMessage, signMessage } from '../messages/sign-message.ts'
import type { Network } from '../networks/use-networks.ts'
import type { InjectedWallet } from '../signers/injected-wallets.ts'
import { namePasskey } from '../signers/passkey/name-passkey.ts'
import type { PreparedRecovery } from './prepare-recovery.ts'
import { namedOwner, type RecoveryStatus } from './use-recovery.ts'

/**
 * Signs with a wallet of this browser, once for all networks.
 *
 * @throws ExplainedError if its accounts are no guardians; the wallet's error if the person declines; errors of the service
 */
export async function signWithWallet(
  { provider }: InjectedWallet,
  { request, sequence, number, typedData }: PreparedRecovery,
  guardians: readonly Address[],
): Promise<RecoveryStatus> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const guardian = guardians.find((member) => accounts.some((account) => isAddressEqual(account, member)))
  if (!guardian)
    throw new ExplainedError({
      title: t('This wallet’s account is no guardian.'),
      advice: t('Choose the account in your wallet that the owner named.'),
    })
  const signature = await provider.request({
    method: 'eth_signTypedData_v4',
    params: [guardian, textOf(typedData)],
  })
  return trpc.recovery.sign.mutate({
    account: request.account,
    sequence,
    number,
    newOwners: [namedOwner(request)],
    guardian,
    signature,
  })
}

/**
 * Signs with the passkey of the signed-in person, once for all networks: the guardian is its signer contract, which need not
 * exist anywhere.
 *
 * @throws WalletError OTHER_PASSKEY, CALLS_DIFFER; errors of the ceremony and the service
 */
export async function signWithPasskey(
  session: Session,
  { request, sequence, number, typedData }: PreparedRecovery,
  guardian: Guardian,
): Promise<RecoveryStatus> {
  const key = passkeyOf(guardian)
  if (!key) throw new WalletError('NOT_VERIFIABLE')
  const signature = await signAsPasskey(session, key, hashTypedData(typedData))
  return trpc.recovery.sign.mutate({
    account: request.account,
    sequence,
    number,
    newOwners: [namedOwner(request)],
    guardian: guardian.guardian,
    signature,
    key: namePasskey(key),
  })
}

/**
 * Signs with the signed-in account, once for each network that has it: the messages of an account contain the chain id
 * (ERC-1271).
 *
 * @param networks - where the account is deployed: elsewhere nothing can check its signature
 * @throws errors of the ceremony and the service
 */
export async function signWithAccount(
  session: Session,
  { request, sequence, number, typedData }: PreparedRecovery,
  networks: readonly Network[],
): Promise<RecoveryStatus | undefined> {
  const { signal } = new AbortController()
  // A request is JSON, and the sequence is a bigint.
  const plain = JSON.parse(textOf(typedData))
  let latest: RecoveryStatus | undefined
  for (const network of networks) {
    const message = await prepareMessage(session, network, { typedData: plain }, signal)
    const signature = await signMessage(session, message)
    latest = await trpc.recovery.sign.mutate({
      account: request.account,
      sequence,
      number,
      newOwners: [namedOwner(request)],
      guardian: session.account,
      signature,
      network: String(network.chainId),
    })
  }
  return latest
}

/** The typed data as wallets take it: JSON, with the type of its domain, and numbers as decimal strings. */
export function textOf(typedData: PreparedRecovery['typedData']): string {
  const types = { EIP712Domain: getTypesForEIP712Domain({ domain: typedData.domain }), ...typedData.types }
  return serializeTypedData({ ...typedData, types } as never) // the domain's type is not among those of the message
}
