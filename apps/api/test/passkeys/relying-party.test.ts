/** @module-tag all */
// @promise 8

import { freshDatabase } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { fixRelyingParty } from '../../src/domain/accounts/passkeys/relying-party.ts'

const android = [{ packageName: 'com.example.wallet', certificate: '00'.repeat(32) }]
const app = `android:apk-key-hash:${'A'.repeat(43)}`
const apps = { ios: [], android: [] }
const here = {
  name: 'Lanyard',
  rpId: 'wallet.example',
  origins: ['https://wallet.example', 'https://app.wallet.example'],
  apps: { ios: [], android },
}
const elsewhere = { name: 'Lanyard', rpId: 'other.example', origins: ['https://other.example'], apps }
const reject = { allowChange: false }

test('behavior: the relying party cannot change after the first passkey without RP_CHANGE=allow', async () => {
  await using opened = await freshDatabase()
  const { db } = opened
  await fixRelyingParty(db, elsewhere, reject)
  // Without passkeys the change is allowed.
  await fixRelyingParty(db, here, reject)
  await db
    .insertInto('users')
    .values({
      id: '00000000-0000-4000-8000-000000000001',
      kind: 'passkey',
      username: 'a',
      username_key: 'a',
      created_at: new Date(),
    })
    .execute()
  await db
    .insertInto('credentials')
    .values({
      id: 'AQ',
      user_id: '00000000-0000-4000-8000-000000000001',
      public_key: new Uint8Array([1]),
      signer: '0x01',
      verifiers: 1n,
      first_owner: true,
      label: '',
      counter: 0,
      backup_eligible: false,
      backed_up: false,
      transports: '[]',
      aaguid: '00000000-0000-0000-0000-000000000000',
      created_at: new Date(),
      last_used_at: null,
    })
    .execute()
  await fixRelyingParty(db, { ...here, origins: here.origins.toReversed() }, reject)
  await expect(fixRelyingParty(db, elsewhere, reject)).rejects.toThrow(/wallet\.example.*other\.example/)
  await expect(fixRelyingParty(db, { ...here, origins: ['https://wallet.example'] }, reject)).rejects.toThrow(
    'RP_CHANGE=allow',
  )
  await expect(fixRelyingParty(db, { ...here, apps }, reject)).rejects.toThrow(app)
  await fixRelyingParty(db, elsewhere, { allowChange: true })
  await fixRelyingParty(db, elsewhere, reject)
})
