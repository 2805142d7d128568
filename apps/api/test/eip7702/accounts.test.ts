/** @module-tag all */
// @promise 24 C.1

import { computeAccountAddress } from '@lanyard/accounts'
import { describeOneEngine, freshDatabase } from '@lanyard/database/testing'
import { randomPrivateKey } from '@lanyard/testing'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/domain/accounts/api-keys/manage-api-keys.ts'
import { type HttpService, startHttpService } from '../http-service.ts'
import { type RestClient, restClient } from '../rest.ts'
import { newKey } from './delegated-account.ts'

const both = { accountKinds: ['safe', 'eip7702'] }
const safeOf = ({ address }: PrivateKeyAccount) => computeAccountAddress({ kind: 'eoa', address })

describeOneEngine('accounts of the kind eip7702', (engine) => {
  let service: HttpService
  let rest: RestClient
  beforeAll(async () => {
    service = await startHttpService({}, both, () => freshDatabase(engine))
    rest = restClient(service.url)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const create = (key: PrivateKeyAccount, type?: string) =>
    rest.post('/smart-account/create', { eoaAddress: key.address, ...(type && { type }) })
  const balancesOf = (address: string, type = '') =>
    rest.get(`/wallet/balances?walletAddress=${address}${type && `&type=${type}`}`)

  test('default: the account is the EOA, and is created once', async () => {
    const key = newKey()
    const { status, body } = await create(key, 'eip7702')
    expect([status, body]).toEqual([
      200,
      {
        username: expect.any(String),
        wallet: {
          type: 'EOA',
          account_kind: 'eip7702',
          scw_address: key.address,
          eoa_address: key.address,
          multi_scw: [{ network: service.node.chainId, address: key.address, deployed: false }],
        },
      },
    ])
    expect((await create(key, 'eip7702')).body.username).toBe(body.username)
    expect((await rest.get(`/user?username=${body.username}`)).body.wallet).toEqual({
      scw_address: key.address,
    })
    expect((await balancesOf(key.address)).status).toBe(200)
  })

  test('behavior: without `type`, nothing changes', async () => {
    const key = newKey()
    const { body } = await create(key)
    expect(body.wallet).toMatchObject({ account_kind: 'safe', scw_address: safeOf(key) })
    expect((await balancesOf(key.address)).status).toBe(200)
    expect(await balancesOf(key.address, 'eip7702')).toMatchObject({
      status: 404,
      body: { code: 'UNKNOWN_WALLET' },
    })
  })

  test.each([
    ['safe', 'eip7702'],
    ['eip7702', 'safe'],
  ])('error: AMBIGUOUS_WALLET for an EOA with both, created as %s, then %s', async (first, second) => {
    const key = newKey()
    await create(key, first)
    expect((await balancesOf(key.address)).status).toBe(200)
    expect((await create(key, second)).status).toBe(200)
    const accounts = [
      { type: 'eip7702', address: key.address },
      { type: 'safe', address: safeOf(key) },
    ]
    for (const path of [
      '/wallet/balances',
      '/wallet/activity',
      '/v3/smartbalance/orders',
      '/smart-account/owner',
    ])
      expect(
        await rest.get(`${path}?walletAddress=${key.address}&network=${service.node.chainId}`),
      ).toMatchObject({
        status: 400,
        body: { code: 'AMBIGUOUS_WALLET', accounts },
      })
    for (const type of ['safe', 'eip7702']) expect((await balancesOf(key.address, type)).status).toBe(200)
    expect((await balancesOf(safeOf(key))).status).toBe(200)
  })

  test('behavior: the EOA may own a Safe, and signs in to its own account', async () => {
    const key = newKey()
    await create(key, 'eip7702')
    const named = { walletAddress: key.address, eoaAddress: key.address }
    const { body: login } = await rest.post('/login/message', named)
    const { body } = await rest.post('/login/verify', {
      message: login.message,
      signature: await key.signMessage({ message: login.message }),
    })
    expect(body).toEqual({ token: expect.any(String) })
    const other = await rest.post('/login/message', { ...named, eoaAddress: newKey().address })
    expect(other.body.code).toBe('UNKNOWN_OWNER')
  })

  test('behavior: networks name their types', async () => {
    const { body } = await rest.get('/networks')
    expect(body.networks).toMatchObject([{ accountKinds: ['safe', 'eip7702'] }])
  })
})

test('error: UNSUPPORTED_ACCOUNT_KIND if no network has the type', async () => {
  await using service = await startHttpService()
  const rest = restClient(service.url)
  const { address: eoaAddress } = newKey()
  expect(await rest.post('/smart-account/create', { eoaAddress, type: 'eip7702' })).toMatchObject({
    status: 400,
    body: { code: 'UNSUPPORTED_ACCOUNT_KIND', type: 'eip7702' },
  })
  expect((await rest.post('/smart-account/create', { eoaAddress })).status).toBe(200)
  expect((await rest.get('/networks')).body.networks).toMatchObject([{ accountKinds: ['safe'] }])
})

describe('with a publishable key, which anybody can read', () => {
  const secret = 'a-secret-of-32-characters-xxxxxx'
  const origin = 'https://app.example'
  let page: { 'x-api-key': string; origin: string }
  let service: HttpService
  let server: RestClient
  let browser: RestClient
  beforeAll(async () => {
    service = await startHttpService({ API_KEYS: `server:${secret}` }, both)
    server = restClient(service.url, { 'x-api-key': secret })
    const app = { kind: 'publishable', name: 'app', origins: [origin] } as const
    const { key } = await createApiKey(service.database.db, app, new Date())
    page = { 'x-api-key': key, origin }
    browser = restClient(service.url, page)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const create = async (by: RestClient, eoa: PrivateKeyAccount, type: string) => {
    const { status } = await by.post('/smart-account/create', { eoaAddress: eoa.address, type })
    expect(status).toBe(200)
  }
  /** What requests mean that name the EOA: owners are those of a Safe. */
  const kindOf = async ({ address }: PrivateKeyAccount) => {
    const { status, body } = await server.get(`/smart-account/owner?walletAddress=${address}`)
    if (status === 200) return 'safe'
    return body.code === 'NOT_SUPPORTED_BY_ACCOUNT' ? body.type : body.code
  }
  /** The page, with the token of a Safe's user. */
  const signIn = async (user: PrivateKeyAccount) => {
    const named = { walletAddress: safeOf(user), eoaAddress: user.address }
    const { body } = await server.post('/login/message', named)
    const signature = await user.signMessage({ message: body.message })
    const { token } = (await server.post('/login/verify', { message: body.message, signature })).body
    return restClient(service.url, { ...page, authorization: `Bearer ${token}` })
  }

  test.each(['server', 'browser'])(
    'behavior: nobody changes what the EOA of a Safe means (%s)',
    async (by) => {
      const [key, other] = [newKey(), newKey()]
      await create(server, other, 'safe')
      await create(by === 'server' ? server : browser, key, 'safe')
      await create(browser, key, 'eip7702')
      await create(await signIn(other), key, 'eip7702')
      expect(await kindOf(key)).toBe('safe')
      // Its user asks for both, so each request has to say which.
      await create(await signIn(key), key, 'eip7702')
      expect(await kindOf(key)).toBe('AMBIGUOUS_WALLET')
    },
  )

  test('behavior: an account of the kind eip7702 that somebody created first does not keep the EOA from its Safe', async () => {
    const key = newKey()
    await create(browser, key, 'eip7702')
    expect(await kindOf(key)).toBe('eip7702')
    await create(browser, key, 'safe')
    expect(await kindOf(key)).toBe('safe')
    await create(server, key, 'eip7702')
    expect(await kindOf(key)).toBe('eip7702')
    await create(server, key, 'safe')
    expect(await kindOf(key)).toBe('AMBIGUOUS_WALLET')
  })

  test('behavior: nobody gives a used account of the kind eip7702 a Safe that its EOA means', async () => {
    const key = newKey()
    await create(browser, key, 'eip7702')
    await create(browser, key, 'safe')
    // As a signature of an operation does.
    await service.database.db
      .updateTable('accounts')
      .set({ signatures: 1 })
      .where('address', '=', key.address.toLowerCase())
      .execute()
    expect(await kindOf(key)).toBe('eip7702')
  })
})

test('attack: where no key is needed, an account of the kind eip7702 does not change what the EOA of a Safe means', async () => {
  const secret = 'a-secret-of-32-characters-xxxxxx'
  const keys = { RELAYER_PRIVATE_KEYS: randomPrivateKey() }
  await using service = await startHttpService(
    { API_KEYS: `server:${secret}`, ALLOW_ANONYMOUS: 'true', ...keys },
    { ...both, local: false },
  )
  const anyone = restClient(service.url)
  const key = newKey()
  for (const type of ['safe', 'eip7702']) {
    const { status } = await anyone.post('/smart-account/create', { eoaAddress: key.address, type })
    expect(status).toBe(200)
  }
  const owners = await anyone.get(`/smart-account/owner?walletAddress=${key.address}`)
  expect(owners).toMatchObject({ status: 200, body: { networks: [{ owners: [{ address: key.address }] }] } })
})
