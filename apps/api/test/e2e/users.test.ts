import { createLanyardClient, send } from '@lanyard/client'
import { localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { createTestClient, parseEther, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, type HttpService, startHttpService } from '../http-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await startHttpService()
})
afterAll(() => service[Symbol.asyncDispose]())

const get = async (path: string, query: Record<string, string>) => {
  const { status, body } = await ask(`${service.url}${path}?${new URLSearchParams(query)}`)
  return { status, body }
}

async function createUser() {
  const lanyard = createLanyardClient({ baseUrl: service.url })
  const signer = privateKeyToAccount(randomPrivateKey())
  const { username, wallet } = await lanyard.smartAccount.create({ eoaAddress: signer.address })
  return { lanyard, signer, username, address: wallet.scw_address as `0x${string}` }
}

test('default', async () => {
  const { lanyard, signer, username, address } = await createUser()
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(service.node.rpcUrl) }).extend(
    publicActions,
  )
  await chain.setBalance({ address, value: parseEther('1') })
  const pay = (value: string) =>
    send(lanyard, {
      signer,
      request: {
        network: String(service.node.chainId),
        walletAddress: address,
        transactionDetails: [{ encodedData: '0x', targetContractAddress: signer.address, value }],
      },
    })
  const first = await pay('5')
  const second = await pay('7')

  const { status, body } = await get('/user', { username: username.toUpperCase() })
  expect(status).toBe(200)
  expect(body).toMatchObject({ username, wallet: { scw_address: address } })
  expect(
    body.transactions.map(({ hash, value }: { hash: string; value: string }) => ({ hash, value })),
  ).toEqual([
    { hash: second.txnHash, value: '7' },
    { hash: first.txnHash, value: '5' },
  ])
  const { timestamp } = await chain.getBlock({
    blockNumber: (await chain.getTransactionReceipt({ hash: first.txnHash as `0x${string}` })).blockNumber,
  })
  expect(body.transactions[1].timestamp).toBe(new Date(Number(timestamp) * 1000).toISOString())
})

test('error: UNKNOWN_USER', async () => {
  const { status, body } = await get('/user', { username: 'nobody' })
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'UNKNOWN_USER' })
})

test('behavior: search matches the beginning of a username, a part of it, and an address', async () => {
  const { username, address, signer } = await createUser()
  const found = { wallet_address: address, username }
  for (const query of [
    username.slice(0, 8),
    username.slice(9, 18),
    address,
    address.toLowerCase(),
    signer.address,
  ]) {
    const { status, body } = await get('/api/user/search', { query })
    expect(status).toBe(200)
    expect(body.result, query).toContainEqual(found)
    expect(body.message).toMatch(/^\d+ users? found$/)
  }
})

test('behavior: a search without a match says so', async () => {
  const { body } = await get('/api/user/search', { query: 'zz%_' })
  expect(body).toEqual({ result: [], message: 'No user found' })
})

test('error: INVALID_INPUT for one character', async () => {
  expect((await get('/api/user/search', { query: 'a' })).status).toBe(400)
})

test('behavior: check-username ignores case', async () => {
  const { username } = await createUser()
  expect((await get('/api/user/check-username', { username: username.toUpperCase() })).body.value).toBe(true)
  expect((await get('/api/user/check-username', { username: 'nobody' })).body).toEqual({
    value: false,
    message: 'This username does not exist',
  })
})

test('behavior: check-username says whether the literal name exists, and whether it is unavailable', async () => {
  const check = async (username: string) => (await get('/api/user/check-username', { username })).body
  const { username } = await createUser()
  expect(await check(username)).toEqual({ value: true, message: 'This username exists' })
  expect(await check('nobody')).toEqual({ value: false, message: 'This username does not exist' })
  for (const name of ['0x7099\u202679C8', 'm\u0430ria']) {
    const { value, message } = await check(name)
    expect(value).toBe(false)
    expect(message).toContain('unavailable')
  }
})
