/** @module-tag all */
import { randomUUID } from 'node:crypto'
import { createEoaAccount } from '@lanyard/database'
import { freshDatabase } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { account, operationRow, orderRow } from '../rows.ts'
import { contextOf } from './cli-context.ts'
import { runInProcess } from './run-in-process.ts'

test('default: one document with everything that is stored about a user, without its callers', async () => {
  await using database = await freshDatabase()
  const { db } = database
  const { account: made } = await createEoaAccount(db, {
    address: account,
    eoaAddress: `0x${'b'.repeat(40)}`,
    deployment: { saltNonce: '0' },
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
  })
  await db
    .insertInto('operations')
    .values({ ...operationRow({}), built_by: 'address:192.0.2.1' })
    .execute()
  await db.insertInto('orders').values(orderRow({})).execute()
  const [identity_id, issuer] = [randomUUID(), 'https://login.example']
  const hash = 'a'.repeat(64)
  const linked_at = new Date('2026-01-03T00:00:00Z')
  await db
    .insertInto('identities')
    .values({ ...{ hash, id: identity_id, issuer, user_id: made.user_id }, linked_at, used_at: null })
    .execute()
  await db
    .insertInto('guardian_requests')
    .values({
      ...{ id: randomUUID(), identity_id, account, new_owner: '{}', network: 31337, issuer },
      ...{ requested_at: linked_at, expires_at: linked_at },
    })
    .execute()
  const ended = await runInProcess(contextOf(database), 'export', '--user', made.username)
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
  expect(ended.json()).toMatchObject({
    format: 'lanyard-user',
    user: { username: made.username },
    account: { address: account, created_at: '2026-01-02T03:04:05.678Z' },
    credentials: [],
    identities: [{ id: identity_id, issuer }],
    guardian_requests: [{ identity_id }],
    operations: [{ account, value: '0' }],
    orders: [{ account }],
  })
  expect(ended.stdout).not.toContain('192.0.2.1')
  expect(ended.stdout).not.toContain(hash)
  const unknown = await runInProcess(contextOf(database), 'export', '--user', 'nobody')
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
})
