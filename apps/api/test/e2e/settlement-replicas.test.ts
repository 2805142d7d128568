/** @module-tag all */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { devRoles, startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { expect, test } from 'vitest'
import { restClient } from '../rest.ts'
import { expectSettledOnce, spendOverRest } from '../settlement/spend-over-rest.ts'
import { startConfigured } from '../start-configured.ts'

/** Processes share only PostgreSQL, so the test needs it. */
test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: with each attestor in a separate process and two settlers on one key, every order is settled once',
  async () => {
    await using stack = new AsyncDisposableStack()
    const devnet = await startDevnet()
    stack.defer(() => devnet.stop())
    const database = stack.use(await freshDatabase('postgresql'))
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-roles-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, devnet.networks)
    const start = async (ROLES: string, more: Record<string, string> = {}) => {
      const env = { NETWORKS_FILE: networksFile, DATABASE_URL: database.url ?? '', ROLES, ...more }
      return stack.use(await startConfigured(env))
    }
    const [first, second] = devRoles.attestors
    if (!first || !second) throw new TypeError('Expected three attestors')

    const api = await start('api,worker')
    const rest = restClient(api.url)
    await Promise.all([
      start('settler'),
      start('settler'),
      start('attestor', { ATTESTOR_PRIVATE_KEYS: first.privateKey }),
    ])
    const orders = [await spendOverRest(devnet, rest), await spendOverRest(devnet, rest)]
    for (const { answered } of orders) expect(await answered).toMatchObject({ status: 200 })
    const attested = () => database.db.selectFrom('attestations').select(['attestor', 'order_hash']).execute()
    await expect.poll(async () => (await attested()).length).toBe(2)
    const states = await database.db.selectFrom('orders').select('state').execute()
    expect(states).toEqual([{ state: 'CLAIMED' }, { state: 'CLAIMED' }]) // one of the two required attestors has signed

    await start('attestor', { ATTESTOR_PRIVATE_KEYS: second.privateKey })
    for (const order of orders) await expectSettledOnce(devnet, rest, order)
  },
)
