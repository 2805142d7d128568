import type { Call } from '@lanyard/accounts'
import { encodeSessionExecute } from '@lanyard/session-keys'
import { type Address, type Hex, hexToBytes } from 'viem'
import { trpc } from '../api/trpc.ts'
import { t } from '../i18n/t.ts'
import { submitAndFollow } from '../operation/submit-and-follow.ts'
import { toTransactionDetails, verifyOperation } from '../passkey/verify-operation.ts'
import { readBrowserKey } from './browser-key.ts'
import type { SessionKeysNetwork } from './use-sessions.ts'

/** The call to make, and the session key to use. */
export interface SessionAct {
  readonly account: Address
  readonly network: SessionKeysNetwork
  readonly keyId: Hex
  readonly call: Call
}

/**
 * Makes a call with a session key of this browser, as an app would with its own: there is no prompt. The
 * operation is recomputed before signing, like any other.
 *
 * @returns whether the call succeeded on chain
 * @throws WalletError CALLS_DIFFER, HASH_DIFFERS, NOT_VERIFIABLE; DOMException NotFoundError; errors of the
 * service, such as SESSION_REFUSED with the limit
 */
export async function actInSession({ account, network, keyId, call }: SessionAct): Promise<boolean> {
  const signer = await readBrowserKey(keyId)
  if (!signer) throw new DOMException(t('This browser does not have the key any more.'), 'NotFoundError')
  const { chainId, sessionKeys } = network
  const build = await trpc.smartAccount.build.mutate({
    network: chainId,
    walletAddress: account,
    signMode: 'SESSION_KEY',
    sessionKey: signer.sessionKey,
    transactionDetails: toTransactionDetails([call]),
  })
  const execution = encodeSessionExecute({ sessionKeys, key: signer.key, calls: [call] })
  const { operationHash, userOpHash } = verifyOperation(
    { ...build, challenge: toBase64Url(build.messageToSign) },
    { account, chainId, calls: [execution] },
  )
  const signature = await signer.sign(operationHash)
  const { kind } = await submitAndFollow(userOpHash, () =>
    trpc.smartAccount.submit.mutate({ walletAddress: account, signature, signatureType: 'SESSION_KEY' }),
  )
  return kind === 'included'
}

const toBase64Url = (bytes: Hex): string =>
  btoa(String.fromCharCode(...hexToBytes(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
