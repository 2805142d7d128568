/** @module-tag long */
// @promise 2 5 7

import { setTimeout as delay } from 'node:timers/promises'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { isLong, reportFigure } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { startDevnetInFolder } from '../devnet-in-folder.ts'
import { createEoaAccount, eoaActor } from '../load/actors/eoa.ts'
import { createSpender, orderActor } from '../load/actors/order.ts'
import { createPasskeyAccount, origin, passkeyActor } from '../load/actors/passkey.ts'
import { readerActor } from '../load/actors/reader.ts'
import { createLoadClient } from '../load/client.ts'
import { expectDrained } from '../load/expect-drained.ts'
import {
  expectOnceOnChain,
  expectOrdersSettledOnce,
  expectUniqueNonces,
  expectUniqueTransactions,
} from '../load/expect-once.ts'
import { type MemorySample, megabytes, retained, watchMemory } from '../load/memory.ts'
import { type Replica, startReplica } from '../load/replicas.ts'
import { outputNetwork, type SignedOperation, type Stage, sourceNetwork } from '../load/stage.ts'
import { createTally, type Tally } from '../load/tally.ts'
import { orderChains } from '../orders/order-chains.ts'

/** Seconds of load. `pnpm test` runs a short load, `pnpm test:long` a long one. */
const seconds = isLong ? 240 : 15

/** Milliseconds between the restart of one process and the kill of the next. */
const killPause = 2_000

/** Processes share only PostgreSQL, so the test needs it. */
test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: three replicas and a worker under a mixed load, with one of them killed every few seconds, lose nothing, do nothing twice, and no live replica answers 5xx',
  { timeout: (seconds + 240) * 1000 },
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
        ROLES,
      })
      stack.defer(() => replica.stop())
      return replica
    }
    const [worker, survivor, ...killed] = await Promise.all([
      start('worker,attestor,settler'),
      start('api'),
      start('api'),
      start('api'),
    ])
    const replicas = [survivor, ...killed]

    const tally = createTally()
    const operations: SignedOperation[] = []
    let isRunning = true
    const stage: Stage = {
      client: createLoadClient(replicas, tally),
      chains: orderChains(devnet),
      isRunning: () => isRunning,
      signed: (operation) => void operations.push(operation),
    }
    // Deposits use one sender account, so they run serially.
    const accounts = [await createEoaAccount(stage), await createEoaAccount(stage)] as const
    const passkeys = [
      await createPasskeyAccount(stage, survivor.url, 'ann'),
      await createPasskeyAccount(stage, survivor.url, 'ben'),
    ]
    const spenders = [await createSpender(stage), await createSpender(stage)]

    const [kills, samples] = await allSettledOrThrow([
      killRepeatedly([...killed, worker], stage.isRunning),
      watchMemory(survivor.url, stage.isRunning, isLong ? 2_000 : 1_000),
      delay(seconds * 1000).then(() => {
        isRunning = false
      }),
      ...accounts.flatMap((account) => [eoaActor(stage, account), eoaActor(stage, account)]),
      ...passkeys.map((account) => passkeyActor(stage, account)),
      ...spenders.map((spender) => orderActor(stage, spender)),
      ...accounts.map(({ address }) => readerActor(stage, address)),
    ])
    report({ tally, operations: operations.length, orders: spenders, kills, samples })

    expect(tally.faults).toEqual([])
    await expectDrained(database.db, stage, accounts[0], replicas)
    await expectOnceOnChain(stage.chains, operations)
    await expectUniqueNonces(database.db, operations)
    await expectOrdersSettledOnce(database.db, stage.chains, spenders)
    reportFigure(
      5,
      'transactions of the service under load, none reverted',
      await expectUniqueTransactions(database.db, stage.chains),
    )
    if (isLong) expectFlat(samples)
  },
)

/** Like Promise.all, but it rejects only after all promises have settled. */
async function allSettledOrThrow<T extends readonly Promise<unknown>[]>(all: readonly [...T]) {
  await Promise.allSettled(all)
  return Promise.all(all)
}

/** Kills one replica after another while the load runs. Returns the number of kills. */
async function killRepeatedly(replicas: readonly Replica[], isRunning: () => boolean): Promise<number> {
  let kills = 0
  for (; isRunning(); kills++) {
    await replicas[kills % replicas.length]?.kill()
    await delay(killPause)
  }
  return kills
}

/** Expects that the retained heap of the last third is at most a tenth plus 10 MB above the second third. */
function expectFlat(samples: readonly MemorySample[]): void {
  const third = Math.floor(samples.length / 3)
  const [second, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
  expect(retained(last)).toBeLessThan(retained(second) * 1.1 + 10e6)
}

interface Outcome {
  readonly tally: Tally
  readonly operations: number
  readonly orders: readonly { readonly orderIds: readonly string[] }[]
  readonly kills: number
  readonly samples: readonly MemorySample[]
}

function report({ tally, operations, orders, kills, samples }: Outcome): void {
  reportFigure(5, 'processes killed under load', kills)
  reportFigure(5, 'attempts that lost their replica', tally.counted('attempts that lost their replica'))
  const repeated = 'repeated mutations with the same answer'
  reportFigure(2, `${repeated}, under load`, tally.counted(repeated))
  reportFigure(5, 'operations signed under load, each once on chain', operations)
  reportFigure(
    5,
    'orders among these operations',
    orders.reduce((sum, { orderIds }) => sum + orderIds.length, 0),
  )
  reportFigure(7, 'seconds of mixed load', seconds)
  reportFigure(7, 'requests answered', tally.requests())
  reportFigure(7, 'answers of 500 and above, unanswered requests', tally.faults.length)
  for (const kind of tally.kinds()) {
    reportFigure(
      7,
      `${kind}: median, p99`,
      `${tally.percentile(0.5, kind)} ms, ${tally.percentile(0.99, kind)} ms`,
    )
  }
  reportFigure(7, 'all requests: p99', `${tally.percentile(0.99)} ms`)
  reportFigure(7, 'longest request that lost its replica', `${tally.maxInterrupted()} ms`)
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last) return
  reportFigure(
    7,
    'memory of the survivor, first and last',
    `${megabytes(first.resident)}, ${megabytes(last.resident)}`,
  )
  const half = samples.slice(Math.floor(samples.length / 2))
  reportFigure(
    7,
    'heap of the survivor after garbage collection, first and second half',
    `${megabytes(retained(samples.slice(0, Math.ceil(samples.length / 2))))}, ${megabytes(retained(half))}`,
  )
}
