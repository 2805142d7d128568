/** @module-tag all */
/** @module-tag first */
/** @module-tag longer */
// @promise 5

import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { isLong, reportFigure } from '@lanyard/testing'
import { startBalancer } from '@lanyard/testing/balancer'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startDevnetInFolder } from '../devnet-in-folder.ts'
import { delegatedActor } from '../load/actors/delegated.ts'
import { createEoaAccount, eoaActor } from '../load/actors/eoa.ts'
import { createSpender, orderActor } from '../load/actors/order.ts'
import { createPasskeyAccount, origin, passkeyActor } from '../load/actors/passkey.ts'
import { readerActor } from '../load/actors/reader.ts'
import {
  expectOnceOnChain,
  expectOrdersSettledOnce,
  expectUniqueNonces,
  expectUniqueTransactions,
} from '../load/expect-once.ts'
import { type Replica, startReplica } from '../load/replicas.ts'
import { outputNetwork, type SignedOperation, type Stage, sourceNetwork } from '../load/stage.ts'
import { createTally } from '../load/tally.ts'
import { orderChains } from '../orders/order-chains.ts'
import { createBalancedClient, lostToKill } from './balanced-client.ts'
import { ceremonyActor } from './ceremony-actor.ts'
import { createOutages } from './outages.ts'

/**
 * Number of rounds that replace everything: `pnpm test` checks that it works, `pnpm test:long` that it always works.
 */
const rounds = isLong ? 12 : 1

/** Milliseconds of load before, between and after the restarts; enough for some requests of each kind. */
const pause = 1_000

/** Environment that makes a new process a newer version of this service. */
const newer = { NODE_OPTIONS: `--import ${fileURLToPath(new URL('./newer-version.ts', import.meta.url))}` }

/** The processes share only PostgreSQL, so the test needs a run with PostgreSQL. */
test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: a rolling restart behind a balancer has no failed requests, even to a newer schema; killing a replica and the worker neither loses nor repeats an operation',
  { timeout: (rounds * 120 + 360) * 1000 },
  async () => {
    await using stack = new AsyncDisposableStack()
    const devnet = stack.use(await startDevnetInFolder({ chainIds: [sourceNetwork, outputNetwork] }))
    const database = stack.use(await freshDatabase('postgresql'))
    const start = async (ROLES: string) => {
      const replica = await startReplica({
        NETWORKS_FILE: devnet.networksFile,
        DATABASE_URL: database.url ?? '',
        ORIGINS: origin,
        RATE_LIMITS: 'off',
        TRUST_PROXY: '1',
        SHUTDOWN_DELAY: '1',
        ROLES,
      })
      stack.defer(() => replica.stop())
      return replica
    }
    const [worker, ...replicas] = await allSettledOrThrow([
      start('worker,attestor,settler'),
      start('api'),
      start('api'),
      ...(isLong ? [start('api')] : []),
    ])
    const balancer = stack.use(await startBalancer(replicas.map(({ url }) => url)))
    console.log(`Rolling restart behind ${balancer.name}`)

    const tally = createTally()
    const operations: SignedOperation[] = []
    let isRunning = true
    const outages = createOutages()
    const stage: Stage = {
      client: createBalancedClient(balancer.url, tally, outages),
      chains: orderChains(devnet),
      isRunning: () => isRunning,
      signed: (operation) => void operations.push(operation),
    }
    const account = await createEoaAccount(stage)
    const passkey = await createPasskeyAccount(stage, balancer.url, 'ann')
    const spender = await createSpender(stage)

    const rolled: (number | NodeJS.Signals)[] = []
    async function replaceAll(): Promise<void> {
      for (const replica of replicas) {
        rolled.push(await replica.roll(replica === replicas.at(-1) ? newer : {}))
      }
      if (isLong) rolled.push(await worker.roll())
      await delay(pause)
      await outages.during(() => Promise.all([killed(replicas[0]), killed(worker)]))
      await delay(pause)
    }

    const script = async () => {
      await delay(pause)
      for (let round = 0; round < rounds; round++) await replaceAll()
    }
    await allSettledOrThrow([
      script().finally(() => {
        isRunning = false
      }),
      eoaActor(stage, account),
      eoaActor(stage, account),
      delegatedActor(stage),
      passkeyActor(stage, passkey),
      orderActor(stage, spender),
      readerActor(stage, account.address),
      ceremonyActor(stage, { url: balancer.url, origin, tally, outages }),
    ])

    reportFigure(5, 'balancer', balancer.name)
    reportFigure(5, 'processes replaced under load', rolled.length)
    reportFigure(5, 'requests answered through the balancer', tally.requests())
    reportFigure(5, 'of these, retried on another replica by the balancer', await balancer.passedOn())
    for (const name of [lostToKill, 'repeated mutations with the same answer']) {
      reportFigure(5, `${name}, behind the balancer`, tally.counted(name))
    }
    reportFigure(5, 'answers of 500 and above while processes were replaced', tally.faults.length)
    reportFigure(5, 'operations signed during the restarts, each once on chain', operations.length)
    reportFigure(5, 'of these, orders', spender.orderIds.length)
    for (const kind of tally.kinds()) {
      reportFigure(5, `${kind}: p99`, `${tally.percentile(0.99, kind)} ms`)
    }

    expect(tally.faults).toEqual([])
    expect(new Set(rolled)).toEqual(new Set([0]))
    const { rows } = await sql`select 1 from operations where newer = 0 limit 1`.execute(database.db)
    expect(rows).toHaveLength(1)
    expect(tally.counted('users registered and signed in')).toBeGreaterThan(0)
    await expectOnceOnChain(stage.chains, operations)
    await expectUniqueNonces(database.db, operations)
    await expectOrdersSettledOnce(database.db, stage.chains, [spender])
    await expectUniqueTransactions(database.db, stage.chains)
  },
)

async function killed(replica: Replica | undefined): Promise<void> {
  await replica?.kill()
}

/** Like Promise.all, but waits for all promises before it rejects. */
async function allSettledOrThrow<T extends readonly Promise<unknown>[]>(all: readonly [...T]) {
  await Promise.allSettled(all)
  return Promise.all(all)
}
