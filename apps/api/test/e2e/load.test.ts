/** @module-tag all */
/** @module-tag longer */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { isLong, reportFigure } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { createEoaAccount, eoaActor } from '../load/actors/eoa.ts'
import { createSpender, orderActor } from '../load/actors/order.ts'
import { createPasskeyAccount, origin, passkeyActor } from '../load/actors/passkey.ts'
import { readerActor } from '../load/actors/reader.ts'
import { createLoadClient } from '../load/client.ts'
import { expectDrained } from '../load/expect-drained.ts'
import {
  expectNoBundleTwice,
  expectNoLaneTwice,
  expectOnceOnChain,
  expectOrdersSettledOnce,
} from '../load/expect-once.ts'
import { type MemorySample, megabytes, retained, watchMemory } from '../load/memory.ts'
import { type Replica, startReplica } from '../load/replicas.ts'
import { outputNetwork, type SignedOperation, type Stage, sourceNetwork } from '../load/stage.ts'
import { createTally, type Tally } from '../load/tally.ts'
import { orderChains } from '../orders/order-chains.ts'

/** Seconds of load: `pnpm test` sees that it holds, `pnpm test:long` that it stays so. */
const seconds = isLong ? 240 : 15

/** Milliseconds between the return of one killed process and the death of the next. */
const killPause = 2_000

/** Processes share nothing but PostgreSQL; where the run has none, there is nothing to test. */
test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: three replicas and a worker under a mixed load, one of them killed every few seconds: nothing is lost, nothing happens twice, and nobody living answers 5xx',
  { timeout: (seconds + 240) * 1000 },
  async () => {
    await using stack = new AsyncDisposableStack()
    const devnet = stack.use(await startDevnet({ chainIds: [sourceNetwork, outputNetwork] }))
    const database = stack.use(await freshDatabase('postgresql'))
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-load-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, devnet.networks)
    const start = async (ROLES: string) => {
      const replica = await startReplica({
        NETWORKS_FILE: networksFile,
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
    let goesOn = true
    const stage: Stage = {
      client: createLoadClient(replicas, tally),
      chains: orderChains(devnet),
      goesOn: () => goesOn,
      signed: (operation) => void operations.push(operation),
    }
    // Deposits are made through one account of the chain, so one after the other.
    const accounts = [await createEoaAccount(stage), await createEoaAccount(stage)] as const
    const passkeys = [
      await createPasskeyAccount(stage, survivor.url, 'ann'),
      await createPasskeyAccount(stage, survivor.url, 'ben'),
    ]
    const spenders = [await createSpender(stage), await createSpender(stage)]

    const [kills, samples] = await untilAllEnd([
      killInTurn([...killed, worker], stage.goesOn),
      watchMemory(survivor.url, stage.goesOn, isLong ? 2_000 : 1_000),
      delay(seconds * 1000).then(() => {
        goesOn = false
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
    await expectNoLaneTwice(database.db, operations)
    await expectOrdersSettledOnce(database.db, stage.chains, spenders)
    reportFigure(
      5,
      'transactions of the service under load, none reverted',
      await expectNoBundleTwice(database.db, stage.chains),
    )
    if (isLong) expectFlat(samples)
  },
)

/** As Promise.all, but nothing is under way any more when it fails. */
async function untilAllEnd<T extends readonly Promise<unknown>[]>(all: readonly [...T]) {
  await Promise.allSettled(all)
  return Promise.all(all)
}

/** One after the other, for as long as the load goes on. Returns how many died. */
async function killInTurn(replicas: readonly Replica[], goesOn: () => boolean): Promise<number> {
  let kills = 0
  for (; goesOn(); kills++) {
    await replicas[kills % replicas.length]?.kill()
    await delay(killPause)
  }
  return kills
}

/** What is retained at the end is what was retained after the beginning, plus a tenth and 10 MB. */
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
  const repeated = 'mutations asked for again, answered the same'
  reportFigure(2, `${repeated}, under load`, tally.counted(repeated))
  reportFigure(5, 'operations signed under load, each once on chain', operations)
  reportFigure(
    5,
    'of these, orders',
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
  reportFigure(7, 'longest request that lost a replica on the way', `${tally.maxInterrupted()} ms`)
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
    'its heap after collection, first and second half',
    `${megabytes(retained(samples.slice(0, Math.ceil(samples.length / 2))))}, ${megabytes(retained(half))}`,
  )
}
