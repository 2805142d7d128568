import { randomUUID } from 'node:crypto'
import { usernameKey, usernameSkeleton, usernameSkeletonVersion } from '@lanyard/contracts'
import { randomAddress } from '@lanyard/testing'
import type { Kysely } from 'kysely'
import type { Database } from '../src/schema.ts'

/** Inserts a passkey user with an account; returns its address. */
export async function insertAccount(
  db: Kysely<Database>,
  username: string,
  address: string = randomAddress().toLowerCase(),
): Promise<string> {
  const id = randomUUID()
  const created_at = new Date()
  await db
    .insertInto('users')
    .values({
      id,
      kind: 'passkey',
      username,
      username_key: usernameKey(username),
      username_skeleton: usernameSkeleton(username),
      skeleton_version: usernameSkeletonVersion,
      created_at,
    })
    .execute()
  await db
    .insertInto('accounts')
    .values({
      address,
      user_id: id,
      eoa_address: null,
      passkey_x: 1n,
      passkey_y: 2n,
      passkey_verifiers: 3n,
      deployment: '{}',
      created_at,
    })
    .execute()
  return address
}
