import { type AccountDeployment, computeAccountAddress, toOwner } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type Database, insertPasskeyAccount } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Wallet } from '../accounts/kind.ts'
import { reserveAccount } from '../accounts/reserve-account.ts'
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
 * Writes a new user, their account and their first passkey in one transaction.
 *
 * @returns the account
 * @throws USERNAME_TAKEN, VERIFICATION_FAILED, RATE_LIMITED
 */
export async function createPasskeyAccount(
  transaction: Transaction<Database>,
  { userId, username, credential, deployment, now }: NewPasskeyAccount,
): Promise<Wallet> {
  reserveAccount()
  const { x, y } = credential
  const owner = toOwner({ x, y })
  const address = computeAccountAddress(owner, deployment)
  const taken = await insertPasskeyAccount(transaction, {
    ...{ userId, username, address, passkey: owner, createdAt: now },
    deployment: toStoredDeployment(deployment),
  })
  if (taken === 'name') throw new LanyardError('USERNAME_TAKEN')
  if (taken) throw verificationFailed('this passkey is already registered.')
  await insertCredential(transaction, { userId, credential, firstOwner: true, label: 'First passkey', now })
  return { address, owner, deployment }
}
