import { randomBytes } from '@lanyard/testing'
import type { Kysely } from 'kysely'
import type { Database, NewOperationRow, OperationRow } from '../src/schema.ts'

export const randomHash = (): string => `0x${Buffer.from(randomBytes(32)).toString('hex')}`

/** Inserts an operation of an account, submitted by default. */
export async function insertOperation(
  db: Kysely<Database>,
  account: string,
  changed: Partial<NewOperationRow> = {},
): Promise<OperationRow> {
  const now = new Date()
  return db
    .insertInto('operations')
    .values({
      user_op_hash: randomHash(),
      account,
      network: 31337,
      entry_point: '0x0000000071727de22e5e9d8baf0edac6f37da032',
      nonce_key: 0n,
      nonce_sequence: 0n,
      user_op: '{}',
      safe_op_hash: randomHash(),
      valid_after: 0,
      valid_until: 0,
      sign_mode: 'ECDSA',
      value: 0n,
      deploys: false,
      replaces: null,
      state: 'submitted',
      built_at: now,
      build_expires_at: new Date(now.getTime() + 600_000),
      signature: '0x51',
      signed_at: now,
      signed_at_block: 1,
      attempts: 1,
      ...changed,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
