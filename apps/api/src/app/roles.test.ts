/** @module-tag all */

import { freshDatabase } from '@lanyard/database/testing'
import { startNode } from '@lanyard/devnet'
import { networkConfig } from '@lanyard/networks'
import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { readEnv } from '../platform/environment/env.ts'
import { startService } from './server.ts'

/** Starts a service with some of the roles, on its own chain and database. */
async function startWithRoles(roles: string, variables: Record<string, string> = {}, more: object = {}) {
  const node = await startNode()
  const database = await freshDatabase()
  const config = { chainId: node.chainId, name: 'Test', rpcUrls: [node.rpcUrl], local: true, ...more }
  const dispose = async () => {
    await database[Symbol.asyncDispose]()
    await node.stop()
  }
  try {
    const env = readEnv({ PORT: '0', LOG_LEVEL: 'silent', NODE_ENV: 'test', ROLES: roles, ...variables })
    const service = await startService(env, { database, networks: [networkConfig.parse(config)] })
    return {
      ...service,
      /** Background work that this process repeats. */
      async passes() {
        const text = await service.services.metrics.text()
        return [...text.matchAll(/^lanyard_passes_total\{pass="([^"]+)",outcome="done"\}/gm)].map(
          ([, pass]) => pass,
        )
      },
      async [Symbol.asyncDispose]() {
        await service.close()
        await dispose()
      },
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

test('args: the role api answers requests and runs no background work', async () => {
  await using service = await startWithRoles('api')
  expect((await fetch(`${service.url}/networks`)).status).toBe(200)
  expect(await service.passes()).not.toContain('reconcile-31337')
})

test('args: the role worker runs background work and does not listen', { tags: ['all'] }, async () => {
  await using service = await startWithRoles('worker')
  expect(await service.passes()).toContain('reconcile-31337')
  expect(service.port).toBe(0)
})

test('args: the roles attestor and settler need no relayer key on a real network', {
  tags: ['all'],
}, async () => {
  await using service = await startWithRoles('attestor, settler', {}, { local: false })
  expect(await service.passes()).not.toContain('reconcile-31337')
  await expect(startWithRoles('worker', {}, { local: false })).rejects.toThrow('RELAYER_PRIVATE_KEYS: needed')
})

test('error: PGlite needs all roles, because no other process can use its database', async () => {
  const env = readEnv({ PORT: '0', LOG_LEVEL: 'silent', ROLES: 'api,worker' })
  const networks = [
    networkConfig.parse({ chainId: 1, name: 'Test', rpcUrls: ['http://127.0.0.1:9'], local: true }),
  ]
  await expect(startService(env, { networks })).rejects.toThrow(
    'ROLES: a process with only some of the roles',
  )
})

test('error: a subset of roles needs NETWORKS_FILE, because each process would start its own local networks', async () => {
  await using database = await freshDatabase()
  const env = readEnv({ PORT: '0', LOG_LEVEL: 'silent', ROLES: 'worker' })
  await expect(startService(env, { database })).rejects.toThrow('so NETWORKS_FILE is needed')
})

test('error: the role does not exist', () => {
  expect(() => readEnv({ ROLES: 'api,king' })).toThrow(/ROLES[\s\S]*api, worker, attestor, settler/)
  expect(() => readEnv({ ROLES: ',' })).toThrow(/ROLES/)
})

test('behavior: the role topUp fills up relayers from the treasury, and shows it', {
  tags: ['all'],
}, async () => {
  const treasuryKey = randomPrivateKey()
  const treasury = privateKeyToAccount(treasuryKey)
  const relayer = privateKeyToAccount(randomPrivateKey())
  const target = 10n ** 18n
  await using service = await startWithRoles(
    'topUp',
    {
      RELAYER_PRIVATE_KEYS: `remote:${relayer.address}`,
      RELAYER_TREASURY_PRIVATE_KEY: treasuryKey,
    },
    { relayerRefill: { below: '1', target: String(target), perHour: String(2n * target) } },
  )
  const [network] = service.services.networks.list()
  const call = <T>(method: string, params: readonly unknown[]) =>
    network?.call((client) => client.request<{ ReturnType: T; Parameters: unknown }>({ method, params }))
  const text = () => service.services.metrics.text()
  const labels = `{network="31337",relayer="${relayer.address}",outcome=`
  // Nobody has given the treasury anything yet.
  await expect.poll(text).toContain(`lanyard_relayer_refills_total${labels}"empty"} 1`)
  await call('anvil_setBalance', [treasury.address, '0x8ac7230489e80000'])
  await expect
    .poll(() => call<string>('eth_getBalance', [relayer.address, 'latest']))
    .toBe('0xde0b6b3a7640000')
  await expect.poll(text).toContain(`lanyard_relayer_refills_total${labels}"sent"} 1`)
  expect(await text()).toMatch(/lanyard_refilled_wei\{network="31337"\} 1\d{18}\n/)
  expect(await text()).toMatch(/lanyard_treasury_balance_wei\{network="31337"\} \d+\n/)
})
