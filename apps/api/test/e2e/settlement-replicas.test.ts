/** @module-tag all */
// @promise 5
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { devRoles } from '@lanyard/devnet'
import { expect, test } from 'vitest'
import { startDevnetInFolder } from '../devnet-in-folder.ts'
import { restClient } from '../rest.ts'
import { expectSettledOnce, spendOverRest } from '../settlement/spend-over-rest.ts'
import { startConfigured } from '../start-configured.ts'

/** Processes share only PostgreSQL, so the test needs it. */
test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: with each attestor in a separate process and two settlers on one key, every order is settled once',
  async () => {
    await using stack = new AsyncDisposableStack()
    const devnet = stack.use(await startDevnetInFolder())
    const database = stack.use(await freshDatabase('postgresql'))
    const start = async (ROLES: string, more: Record<string, string> = {}) => {
      const env = { NETWORKS_FILE: devnet.networksFile, DATABASE_URL: database.url ?? '', ROLES, ...more }
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
