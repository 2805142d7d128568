/** @module-tag all */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgresBinaries, startTemporaryCluster } from '@lanyard/database/testing'
import { startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { freePorts, randomPrivateKey } from '@lanyard/testing'
import { type PostgresProxy, startPostgresProxy } from '@lanyard/testing/fault-proxy'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderChains, payee } from '../orders/order-chains.ts'
import { type RestClient, restClient } from '../rest.ts'
import { startConfigured } from '../start-configured.ts'

const network = 31337
const binaries = findPostgresBinaries('pg_basebackup')

describe.skipIf(binaries === undefined)('a service with DATABASE_READ_URL', () => {
  const stack = new AsyncDisposableStack()
  const owner = privateKeyToAccount(randomPrivateKey())
  let proxy: PostgresProxy
  let rest: RestClient
  let metricsUrl: string
  let walletAddress: string

  beforeAll(async () => {
    if (binaries === undefined) return
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-replica-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const devnet = stack.use(await startDevnet({ chainIds: [network] }))
    const networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, devnet.networks)
    const primary = stack.use(await startTemporaryCluster(binaries, { durable: true }))
    const standby = stack.use(await startTemporaryCluster(binaries, { durable: true, standbyOf: primary }))
    proxy = stack.use(await startPostgresProxy(standby.url))
    const metricsPort = await freePorts(1)
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
    const service = stack.use(
      await startConfigured({
        NETWORKS_FILE: networksFile,
        DATABASE_URL: primary.url,
        DATABASE_READ_URL: proxy.databaseUrl,
        METRICS_PORT: String(metricsPort),
      }),
    )
    rest = restClient(service.url)
    const { body } = await rest.post('/smart-account/create', { eoaAddress: owner.address })
    walletAddress = body.wallet.scw_address
    const { chain } = orderChains(devnet).on(network)
    await chain.setBalance({ address: body.wallet.scw_address, value: parseEther('1000') })
  })
  afterAll(() => stack.disposeAsync())

  async function operate(): Promise<string> {
    const build = await rest.post('/smart-account/transaction/build', {
      ...{ network: String(network), walletAddress },
      transactionDetails: [{ targetContractAddress: payee, value: '0', encodedData: '0x' }],
    })
    const { status, body } = await rest.post('/smart-account/transaction/submit', {
      walletAddress,
      signature: await owner.signMessage({ message: { raw: build.body.messageToSign } }),
    })
    expect(status).toBe(200)
    return body.userOpHash
  }

  /** What a user looks at after an operation: each list has it at once. */
  async function expectListed(hash: string): Promise<void> {
    const activity = await rest.get(`/wallet/activity?walletAddress=${walletAddress}&limit=1`)
    expect(activity).toMatchObject({
      status: 200,
      body: { activity: [{ userOpHash: hash, state: 'included' }] },
    })
    const found = await rest.get(`/api/user/search?query=${walletAddress}`)
    expect(found.status).toBe(200)
  }

  async function answeredBy(outcome: string): Promise<number> {
    await fetch(metricsUrl) // what was counted before the first reading shows in the second
    const text = await (await fetch(metricsUrl)).text()
    return Number(new RegExp(`lanyard_replica_reads_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1])
  }

  test('behavior: users find what they just did, and do not notice that the replica is away', async () => {
    for (let turn = 0; turn < 3; turn++) await expectListed(await operate())
    expect(await answeredBy('replica')).toBeGreaterThan(0)
    expect(await answeredBy('away')).toBe(0)
    await proxy.set({ kind: 'refuse' })
    for (let turn = 0; turn < 3; turn++) await expectListed(await operate())
    expect(await answeredBy('away')).toBeGreaterThan(0)
  })
})
