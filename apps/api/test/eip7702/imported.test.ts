/** @module-tag all */
// @promise 24

import { type ImportRow, importAccounts } from '@lanyard/database'
import { describeOneEngine, freshDatabase } from '@lanyard/database/testing'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpService, startHttpService } from '../http-service.ts'
import { type RestClient, restClient } from '../rest.ts'
import { newKey } from './delegated-account.ts'

const both = { accountKinds: ['safe', 'eip7702'] }

describeOneEngine('names that were imported for EOAs', (engine) => {
  let service: HttpService
  let rest: RestClient
  beforeAll(async () => {
    service = await startHttpService({}, both, () => freshDatabase(engine))
    rest = restClient(service.url)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const importFor = async (key: PrivateKeyAccount, row: Pick<ImportRow, 'kind' | 'username'>) => {
    const now = new Date()
    const expiresAt = new Date(now.getTime() + 86_400_000)
    const rows = [{ owner: key.address.toLowerCase(), externalId: undefined, ...row }]
    const { db } = service.database
    const verdicts = await db
      .transaction()
      .execute((transaction) => importAccounts(transaction, rows, { now, expiresAt, dryRun: false }))
    expect(verdicts).toEqual(['added'])
  }
  const create = (key: PrivateKeyAccount, type: string) =>
    rest.post('/smart-account/create', { eoaAddress: key.address, type })

  /** Signs in by SIWE, with the key of another EOA if one is given. */
  async function signIn(key: PrivateKeyAccount, type: string, signer = key) {
    const account = { walletAddress: key.address, eoaAddress: key.address, type }
    const { body } = await rest.post('/login/message', account)
    const signature = await signer.signMessage({ message: body.message })
    return rest.post('/login/verify', { message: body.message, signature })
  }
  const statusOf = async (name: string) => (await rest.get(`/user?username=${name}`)).status

  test('default: nobody gets the name but the key, which gets it by signing in', async () => {
    const key = newKey()
    await importFor(key, { kind: 'eip7702', username: 'alice' })
    expect(await statusOf('alice')).toBe(404)
    for (const name of ['alice', 'ALICE', 'aIice']) {
      const taken = await rest.get(`/v3/webauthn/register/generate-options?username=${name}`)
      expect([taken.status, taken.body.code], name).toEqual([400, 'USERNAME_TAKEN'])
    }
    expect((await rest.get('/api/user/check-username?username=alice')).body).toEqual({
      value: false,
      message: expect.stringContaining('reserved'),
    })
    expect((await rest.get('/api/user/search?query=ali')).body.result).toEqual([])
    // Anybody may create the account. That proves nothing.
    await create(key, 'eip7702')
    await create(key, 'safe')
    expect((await signIn(key, 'eip7702', newKey())).status).toBe(400)
    expect((await signIn(key, 'safe')).status).toBe(200)
    expect(await statusOf('alice')).toBe(404)

    expect((await signIn(key, 'eip7702')).status).toBe(200)
    expect((await rest.get('/user?username=Alice')).body).toMatchObject({
      ...{ username: 'alice', wallet: { scw_address: key.address } },
    })
    expect((await create(key, 'eip7702')).body.username).toBe('alice')
    expect((await rest.get('/api/user/search?query=ali')).body.result).toHaveLength(1)
  })

  test('behavior: a Safe gets the name that was imported for its owner', async () => {
    const key = newKey()
    await importFor(key, { kind: 'safe', username: 'bob' })
    const { body } = await create(key, 'safe')
    await signIn(key, 'safe')
    expect((await rest.get('/user?username=bob')).body.wallet.scw_address).toBe(body.wallet.scw_address)
  })
})
