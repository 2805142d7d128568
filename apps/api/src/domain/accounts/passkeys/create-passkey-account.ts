import { type AccountDeployment, computeAccountAddress, toOwner } from '@lanyard/accounts'
import { LanyardError, usernameKey, usernameSkeleton, usernameSkeletonVersion } from '@lanyard/contracts'
import { type Database, displaceUnprovenEoa } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Wallet } from '../accounts/kind.ts'
import { reserveAccount } from '../accounts/lock-account.ts'
import { toStoredDeployment } from '../safe/safe-kind.ts'
import { insertCredential } from './credentials.ts'
import { verificationFailed } from './verification-failed.ts'
import type { VerifiedCredential } from './verify-registration.ts'

interface NewPasskeyAccount {
  readonly userId: string
  readonly username: string
  readonly credential: VerifiedCredential
  readonly deployment: AccountDeployment
  readonly now: Date
}

/**
 * Writes a new user, their account and their first passkey in one transaction. If two users register the same
 * name concurrently, or names that look the same, one waits for the other and then finds the name taken.
 *
 * @returns the account
 * @throws USERNAME_TAKEN, VERIFICATION_FAILED, RATE_LIMITED
 */
export async function createPasskeyAccount(
  transaction: Transaction<Database>,
  { userId, username, credential, deployment, now }: NewPasskeyAccount,
): Promise<Wallet> {
  reserveAccount()
  const user = await transaction
    .insertInto('users')
    .values({
      id: userId,
      kind: 'passkey',
      username,
      username_key: usernameKey(username),
      username_skeleton: usernameSkeleton(username),
      skeleton_version: usernameSkeletonVersion,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing()) // the exact name or its look-alike form
    .returning('id')
    .executeTakeFirst()
  if (!user) throw new LanyardError('USERNAME_TAKEN')

  const { x, y } = credential
  const owner = toOwner({ x, y })
  const address = computeAccountAddress(owner, deployment)
  await displaceUnprovenEoa(transaction, address.toLowerCase())
  const account = await transaction
    .insertInto('accounts')
    .values({
      address: address.toLowerCase(),
      user_id: userId,
      eoa_address: null,
      passkey_x: x,
      passkey_y: y,
      passkey_verifiers: owner.verifiers,
      deployment: JSON.stringify(toStoredDeployment(deployment)),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('address')
    .executeTakeFirst()
  if (!account) throw verificationFailed('this passkey is already registered.')
  await insertCredential(transaction, { userId, credential, firstOwner: true, label: 'First passkey', now })
  return { address, owner, deployment }
}
