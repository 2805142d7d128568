/** @module-tag all */
// @promise 2 5
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { startPostgresProxy } from '@lanyard/testing/fault-proxy'
import { createTestClient, type Hex, parseEther, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DevnetInFolder, startDevnetInFolder } from '../devnet-in-folder.ts'
import { type RestClient, restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'

/** A chain that mines no blocks simulates a congested chain. */
let devnet: DevnetInFolder
beforeAll(async () => {
  devnet = await startDevnetInFolder({ chainIds: [31337] })
})
afterAll(() => devnet?.stop())

const connect = () =>
  createTestClient({ mode: 'anvil', transport: localTransport(devnet.networks[0]?.rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)

beforeEach(() => connect().setIntervalMining({ interval: 1 }))

async function stopBlocks() {
  await connect().setAutomine(false)
  await connect().setIntervalMining({ interval: 0 })
}

const statusOf = async (rest: RestClient, hash: string) =>
  (await rest.get(`/smart-account/transaction/status?userOpHash=${hash}`)).body.state

async function signedOperation(rest: RestClient) {
  const owner = privateKeyToAccount(randomPrivateKey())
  const account: Hex = (await rest.post('/smart-account/create', { eoaAddress: owner.address })).body.wallet
    .scw_address
  await connect().setBalance({ address: account, value: parseEther('1') })
  const { body } = await rest.post('/smart-account/transaction/build', {
    network: '31337',
    walletAddress: account,
  })
  const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
  return { walletAddress: account, signature }
}

test('error: INCLUSION_TIMEOUT answers 504 with the hash, and the same signature succeeds once there are blocks', async () => {
  await using service = await startConfigured({ NETWORKS_FILE: devnet.networksFile, INCLUSION_TIMEOUT: '1' })
  const rest = restClient(service.url)
  const submission = await signedOperation(rest)
  await stopBlocks()
  const late = await rest.post('/smart-account/transaction/submit', submission)
  expect(late).toMatchObject({
    status: 504,
    body: { code: 'INCLUSION_TIMEOUT', userOpHash: expect.any(String) },
  })
  const hash = late.body.userOpHash
  expect(await statusOf(rest, hash)).toBe('submitted')
  const again = await rest.post('/smart-account/transaction/submit', submission)
  expect(again).toMatchObject({ status: 504, body: { userOpHash: hash } })

  await connect().setIntervalMining({ interval: 1 })
  await expect.poll(() => statusOf(rest, hash)).toBe('included')
  expect(await rest.post('/smart-account/transaction/submit', submission)).toMatchObject({
    status: 200,
    body: { userOpHash: hash, success: true },
  })
})

test('behavior: on SIGTERM the service answers waiting callers with 504 and the hash, and exits before the time-out', async () => {
  await using service = await startServiceProcess({
    NETWORKS_FILE: devnet.networksFile,
    INCLUSION_TIMEOUT: '600',
  })
  const rest = restClient(service.url)
  const submission = await signedOperation(rest)
  await stopBlocks()
  const answer = rest.post('/smart-account/transaction/submit', submission)
  await expect.poll(async () => (await connect().getTxpoolStatus()).pending).toBe(1)
  service.child.kill('SIGTERM')
  expect(await answer).toMatchObject({ status: 504, body: { code: 'INCLUSION_TIMEOUT' } })
  expect(await service.ended).toBe(0)
})

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: on SIGTERM without a database the service names what it could not close, and ends with 0',
  async () => {
    await using database = await freshDatabase('postgresql')
    await using proxy = await startPostgresProxy(database.url ?? '')
    await using service = await startServiceProcess({
      NETWORKS_FILE: devnet.networksFile,
      DATABASE_URL: proxy.databaseUrl,
    })
    await proxy.set({ kind: 'black-hole' })
    const rest = restClient(service.url)
    await expect.poll(async () => (await rest.get('/readyz')).status).toBe(503)
    service.child.kill('SIGTERM')
    expect(await service.ended, service.output()).toBe(0)
    expect(service.output()).toMatch(/"unclosed":\[[^\]]*"the database"/)
  },
)
