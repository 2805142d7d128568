import { passkeyOwner } from '@lanyard/client'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { createPasskey } from '../passkey/ceremonies.ts'
import { signInWith } from '../passkey/sign-in.ts'
import { rememberPasskey } from '../sign-in/known-passkey.ts'
import { type PendingRecovery, storePendingRecovery } from './recovery-link.ts'
import type { RecoveryStatus } from './use-recovery.ts'

/**
 * Creates the passkey that is to be the owner after the recovery. Nothing else knows it yet.
 *
 * @throws WalletError NOT_VERIFIABLE if the browser does not report the public key; errors of the ceremony and the
 * service
 */
export async function beginRecovery(
  { account }: Pick<RecoveryStatus, 'account'>,
  username: string,
): Promise<PendingRecovery> {
  const options = await trpc.webauthn.recoveryOptions.query({ username })
  const response = await createPasskey(options)
  const newOwner = passkeyOwner(response)
  if (!newOwner) throw new WalletError('NOT_VERIFIABLE')
  rememberPasskey(response.id, newOwner)
  const pending = { username, account, credentialId: response.id, newOwner }
  storePendingRecovery(pending)
  return pending
}

/**
 * Signs in with the new passkey once the account has it as its owner. The service learns the passkey by that.
 *
 * @throws VERIFICATION_FAILED before; errors of the ceremony and the service
 */
export async function finishRecovery(pending: PendingRecovery): Promise<Session> {
  const { username, credentialId } = pending
  const { passkeyAuthenticationOptions: options } = await trpc.webauthn.authenticateOptions.query({
    username,
  })
  const onlyNew = { ...options, allowCredentials: [{ id: credentialId, type: 'public-key' as const }] }
  const session = await signInWith(onlyNew, username)
  storePendingRecovery(undefined)
  return session
}
