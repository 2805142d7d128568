import { setTimeout as delay } from 'node:timers/promises'
import { hash } from '@lanyard/contracts'
import { type OpenDatabase, openDatabase } from '@lanyard/database'
import { type DevnetNetwork, startDevnet } from '@lanyard/devnet'
import type { Address, PrivateKeyAccount } from 'viem'
import type { Bench } from '../bench.ts'
import { freePort } from '../programs/free-port.ts'
import { type Postgres, startPostgres } from '../programs/postgres.ts'
import { startProcess } from '../programs/service.ts'
import type { Comparison } from '../report/result.ts'
import { percentile, timed } from '../report/statistics.ts'
import { versionsOf } from '../report/versions.ts'
import { growTables } from '../scaling/copied-rows.ts'
import { type Chain, createChain, deploy, fund } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'
import { type Heap, watchHeap } from './heap.ts'

const stored = [10_000, 100_000, 1_000_000]
const accountCounts = [1, 10, 100]
const networkCounts = [1, 3, 10]
const defaultCarried = 5_000

/** Maximum number of accounts that send concurrently. Each sends one operation after the other. */
const atOnce = 32

/** The number of operations in one measurement. */
const size = 160

/** One statement copies at most this many rows, so that progress shows. */
const copiedAtOnce = 100_000

/** Time-out in milliseconds for a statement that copies rows. */
const answerBound = 600_000

interface Rate {
  readonly perSecond: number
  /** 99th percentile of a build in milliseconds. */
  readonly build: number
}

/** Whether the cost of an operation is independent of the amount of stored data. */
export const growthBench: Bench = {
  name: 'growth',
  async run(progress, { operations: carried = defaultCarried } = {}) {
    await using postgres = await startPostgres()
    if (!postgres) throw new Error('This bench needs PostgreSQL: initdb and postgres.')
    const chainIds = Array.from({ length: Math.max(...networkCounts) }, (_, index) => 31337 + index)
    await using devnet = await startDevnet({ chainIds })
    const [first] = devnet.networks
    if (!first) throw new TypeError('There are ten networks')
    const owners = ownersFrom(0, Math.max(...accountCounts, atOnce))
    const chain = createChain(first.rpcUrl)
    await fund(chain, owners)
    await deploy(chain, owners)
    const measure = <T>(networks: readonly DevnetNetwork[], use: Use<T>) =>
      withService(postgres, networks, owners, use)

    const byNetworks: [number, Rate][] = []
    for (const count of networkCounts) {
      progress(`${count} networks`)
      byNetworks.push(
        await measure(
          devnet.networks.slice(0, count),
          async ({ send }): Promise<[number, Rate]> => [count, await send(atOnce, size)],
        ),
      )
    }
    const byAccounts = await measure([first], async ({ send }) => {
      const rates: [number, Rate][] = []
      for (const count of accountCounts) {
        progress(`${count} accounts`)
        rates.push([count, await send(count, count === 1 ? 30 : size)])
      }
      return rates
    })
    const byStored = await measure([first], async ({ send, client }) => {
      await send(1, 1)
      await untilFinal(client)
      const rates: [number, Rate][] = []
      let last = 0
      for (const count of stored) {
        while (last < count) {
          const next = Math.min(last + copiedAtOnce, count)
          await growTables(client, { first: last + 1, last: next })
          last = next
          progress(`${last.toLocaleString('en')} of ${count.toLocaleString('en')} operations stored`)
        }
        await client.query('vacuum analyze')
        await moveRelayers(chain, client)
        rates.push([count, await send(atOnce, size)])
      }
      return rates
    })
    const heap = await measure([first], async ({ send, heap }) => {
      const early = Math.ceil(carried / 10)
      const accounts = Math.max(...accountCounts) // a block of 1 s carries one operation of each
      await send(accounts, early)
      const before = await heap.measure()
      progress(`heap after ${early} operations: ${before.toFixed(1)} MiB`)
      for (let done = early; done < carried; done += early) {
        await send(accounts, early)
        progress(`heap after ${done + early} operations: ${(await heap.measure()).toFixed(1)} MiB`)
      }
      return { early, before, after: await heap.measure() }
    })
    const comparisons: Comparison[] = [
      ...compare('networks', byNetworks),
      ...compare('accounts', byAccounts),
      ...compare('operations stored', byStored),
      {
        what: `Heap after a collection, ${carried.toLocaleString('en')} operations carried`,
        unit: 'MiB',
        ours: heap.after,
        peer: heap.before,
        peerName: `after ${heap.early.toLocaleString('en')}`,
        goal: { of: 'ratio', bound: 'at most', value: 1.1 },
      },
    ]
    return {
      title: 'Growth',
      method: `Operations of an EOA's deployed account, each built, signed and submitted over HTTP, on PostgreSQL with fsync and one of the service's networks, with blocks of 1 s. ${size} operations for each line (30 by one account), by ${atOnce} accounts unless stated otherwise, at most ${atOnce} of them concurrently; each account sends one after the other. Stored operations are copies of a final operation with all its rows, under other accounts. One account alone waits for its own steps. Accounts that send at once fill both processors, which node, database and client share with the service, so each build also waits for the others. The heap is measured in a new process through its inspector, after a forced collection. The times depend on the machine's load; the heap does not.`,
      versions: versionsOf('@lanyard/devnet'),
      comparisons,
    }
  },
}

function compare(of: string, [least, ...more]: readonly (readonly [number, Rate])[]): Comparison[] {
  if (!least) return []
  const name = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? of.replace(/s$/, '') : of}`
  return more.flatMap(([count, rate]): Comparison[] => [
    {
      what: `Operations per second, ${name(count)}`,
      unit: 'operations/s',
      ours: rate.perSecond,
      peer: least[1].perSecond,
      peerName: name(least[0]),
    },
    {
      what: `Build, p99, ${name(count)}`,
      unit: 'ms',
      ours: rate.build,
      peer: least[1].build,
      peerName: name(least[0]),
    },
  ])
}

type Client = Pick<NonNullable<OpenDatabase['pool']>, 'query'>

interface Running {
  /** Sends the given number of operations from the given number of concurrent accounts. */
  readonly send: (accounts: number, operations: number) => Promise<Rate>
  readonly client: Client
  readonly heap: Heap
}

type Use<T> = (running: Running) => Promise<T>

/** Runs a separate process on a separate database. */
async function withService<T>(
  postgres: Postgres,
  networks: readonly DevnetNetwork[],
  owners: readonly PrivateKeyAccount[],
  use: Use<T>,
): Promise<T> {
  const url = await postgres.fresh()
  const port = await freePort()
  await using service = await startProcess(networks, {
    databaseUrl: url,
    environment: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` },
  })
  await using database = await openDatabase({ url, maxConnections: 1, answerBound })
  const client = await database.pool?.connect()
  if (!client) throw new TypeError('It is a PostgreSQL')
  try {
    await client.query('set statement_timeout = 0')
    const ours = createOurs(service.url)
    for (const owner of owners) await ours.create(owner)
    const send = async (accounts: number, operations: number): Promise<Rate> => {
      const builds: number[] = []
      let left = operations
      const { ms } = await timed(() =>
        Promise.all(
          owners.slice(0, Math.min(accounts, atOnce)).map(async (_, first) => {
            for (let index = first; left-- > 0; index = (index + atOnce) % Math.max(accounts, atOnce)) {
              const owner = owners[index % accounts]
              if (!owner) throw new TypeError('There are that many')
              const built = await timed(() => ours.build(owner))
              builds.push(built.ms)
              await ours.submit(owner, await owner.sign({ hash: hash.parse(built.value.messageToSign) }))
            }
          }),
        ),
      )
      return { perSecond: (operations * 1_000) / ms, build: percentile(builds, 99) }
    }
    await send(Math.min(4, owners.length), 8) // warm-up
    return await use({ send, client, heap: await watchHeap(port) })
  } finally {
    client.release()
  }
}

/** Copied transactions have their own nonces. This advances the relayers' nonces on the chain to match. */
async function moveRelayers(chain: Chain, client: Client): Promise<void> {
  const { rows } = await client.query(
    'select relayer, max(nonce)::int8::text as nonce from relayer_transactions group by relayer',
  )
  for (const { relayer, nonce } of rows as { relayer: Address; nonce: string }[]) {
    await chain.setNonce({ address: relayer, nonce: Number(nonce) + 1 })
  }
}

async function untilFinal(client: Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      'select from operations where not final and signed_at is not null limit 1',
    )
    if (rowCount === 0) return
    await delay(200)
  }
}
