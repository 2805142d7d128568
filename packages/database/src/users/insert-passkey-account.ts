import { usernameKey, usernameSkeleton, usernameSkeletonVersion } from '@lanyard/contracts'
import type { Transaction } from 'kysely'
import type { Database } from '../schema.ts'
import { displaceUnproven } from './displace-account.ts'

export interface NewPasskeyAccount {
  readonly userId: string
  readonly username: string
  /** The smart account's address; in any case. */
  readonly address: string
  /** Its first owner. */
  readonly passkey: { readonly x: bigint; readonly y: bigint; readonly verifiers: bigint }
  /** Everything else that the address depends on, as JSON. */
  readonly deployment: unknown
  readonly createdAt: Date
}

/**
 * Writes a user of a passkey and their account. If two users register the same name concurrently, or names that look the
 * same, one waits for the other and then finds the name taken.
 *
 * An account that somebody created for the contract account's address as an EOA gives way ({@link displaceUnproven}).
 *
 * @returns what is taken already: the name, or the passkey by an account of its own; undefined if both rows are written
 */
export async function insertPasskeyAccount(
  transaction: Transaction<Database>,
  { userId, username, address, passkey, deployment, createdAt }: NewPasskeyAccount,
): Promise<'name' | 'passkey' | undefined> {
  const user = await transaction
    .insertInto('users')
    .values({
      id: userId,
      kind: 'passkey',
      username,
      username_key: usernameKey(username),
      username_skeleton: usernameSkeleton(username),
      skeleton_version: usernameSkeletonVersion,
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.doNothing()) // the exact name or its look-alike form
    .returning('id')
    .executeTakeFirst()
  if (!user) return 'name'
  await displaceUnproven(transaction, address.toLowerCase())
  const account = await transaction
    .insertInto('accounts')
    .values({
      address: address.toLowerCase(),
      user_id: userId,
      eoa_address: null,
      passkey_x: passkey.x,
      passkey_y: passkey.y,
      passkey_verifiers: passkey.verifiers,
      deployment: JSON.stringify(deployment),
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('address')
    .executeTakeFirst()
  return account ? undefined : 'passkey'
}
