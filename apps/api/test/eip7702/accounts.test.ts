/** @module-tag all */

import { computeAccountAddress } from '@lanyard/accounts'
import { describeEachEngine, freshDatabase } from '@lanyard/database/testing'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../src/domain/accounts/api-keys/create-api-key.ts'
import { type HttpService, startHttpService } from '../http-service.ts'
import { type RestClient, restClient } from '../rest.ts'
import { newKey } from './delegated-account.ts'

const both = { accountKinds: ['safe', 'eip7702'] }
const safeOf = ({ address }: PrivateKeyAccount) => computeAccountAddress({ kind: 'eoa', address })

describeEachEngine('accounts of the kind eip7702', (engine) => {
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

test('behavior: with a publishable key, only the user of an EOA with a Safe adds the other kind', async () => {
  const secret = 'a-secret-of-32-characters-xxxxxx'
  await using service = await startHttpService({ API_KEYS: `server:${secret}` }, both)
  const rest = restClient(service.url, { 'x-api-key': secret })
  const [key, other] = [newKey(), newKey()]
  for (const one of [key, other]) await rest.post('/smart-account/create', { eoaAddress: one.address })
  const page = 'https://app.example'
  const app = { kind: 'publishable', name: 'app', origins: [page] } as const
  const { key: apiKey } = await createApiKey(service.database.db, app, new Date())
  const add = async (eoa: PrivateKeyAccount, user?: PrivateKeyAccount) => {
    const { status } = await fetch(`${service.url}/smart-account/create`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'x-api-key': apiKey, origin: page },
        ...(user && { authorization: `Bearer ${await tokenOf(user)}` }),
      },
      body: JSON.stringify({ eoaAddress: eoa.address, type: 'eip7702' }),
    })
    return status
  }
  const tokenOf = async (user: PrivateKeyAccount): Promise<string> => {
    const { body } = await rest.post('/login/message', {
      walletAddress: safeOf(user),
      eoaAddress: user.address,
    })
    const signature = await user.signMessage({ message: body.message })
    return (await rest.post('/login/verify', { message: body.message, signature })).body.token
  }
  expect(await add(key)).toBe(401)
  expect(await add(key, other)).toBe(403)
  expect((await rest.get(`/wallet/balances?walletAddress=${key.address}`)).status).toBe(200)
  expect(await add(key, key)).toBe(200)
  expect(await add(newKey())).toBe(200)
})
