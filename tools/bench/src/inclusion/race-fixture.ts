import { platform } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type DevnetNode, startNode } from '@lanyard/devnet'
import type { Address, Hash, PrivateKeyAccount } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { exchange } from '../programs/exchange.ts'
import { processorTimeOf } from '../programs/process-tree.ts'
import { accountOf, type Chain, createChain, deploy, fund, ownersFrom } from '../wallets/chain.ts'

/** A way to send operations to the chain. */
interface Contender extends AsyncDisposable {
  /** Builds and signs an operation, and returns a function that sends it. */
  prepare(owner: PrivateKeyAccount): Promise<() => Promise<unknown>>
  /** Process IDs, without the node and the clients in this process. */
  readonly processes: Readonly<Partial<Record<RacePart, number>>>
}

/**
 * The parts that use processor time: a service or Alto, a separate database process, the node, the clients.
 */
const raceParts = ['service', 'database', 'node', 'clients'] as const
type RacePart = (typeof raceParts)[number]

export type EnterRace = (fixture: {
  node: DevnetNode
  chain: Chain
  owners: readonly PrivateKeyAccount[]
}) => Promise<Contender>

export interface RaceFixture extends AsyncDisposable {
  /** Sends one operation of each of `count` accounts concurrently, and waits until all are included. */
  race(count: number): Promise<Race>
}

type ProcessorTimes = Readonly<Partial<Record<RacePart, number>>>

export interface Race {
  readonly ms: number
  /** Milliseconds until the last answer. */
  readonly answeredMs: number
  /** The gas used by the including transactions, divided by the number of operations. */
  readonly gasPerOperation: number
  /** Milliseconds of processor time by part. Empty if the system does not report it (any except Linux). */
  readonly processorTime: ProcessorTimes
}

/** Milliseconds until a race counts as failed. */
const raceTimeout = 30_000

/** Starts a separate node with funded and deployed accounts. */
export async function startRaceFixture(accounts: number, enter: EnterRace): Promise<RaceFixture> {
  await using started = new AsyncDisposableStack()
  const node = started.use(await startNode())
  const chain = createChain(node.rpcUrl)
  const owners = ownersFrom(0, accounts)
  await fund(chain, owners)
  await deploy(chain, owners)
  const contender = started.use(await enter({ node, chain, owners }))
  const resources = started.move()

  function processorTimes(): ProcessorTimes {
    if (platform() !== 'linux') return {}
    const { user, system } = process.cpuUsage()
    const { service, database } = contender.processes
    return {
      ...(service !== undefined && { service: processorTimeOf(service) }),
      ...(database !== undefined && { database: processorTimeOf(database) }),
      node: processorTimeOf(node.pid),
      clients: (user + system) / 1000,
    }
  }

  let turn = 0
  return {
    async race(count) {
      // Uses the accounts in rotation, so that none waits for its own last operation.
      const racing = Array.from({ length: count }, () => owners[turn++ % accounts]).filter(
        (o) => o !== undefined,
      )
      const sends: (() => Promise<unknown>)[] = []
      for (const owner of racing) sends.push(await contender.prepare(owner))

      const head = await chain.getBlockNumber()
      const before = processorTimes()
      const began = performance.now()
      const answers = sends.map((send) => send())
      const included = allIncluded(node, chain, head, new Set(racing.map(accountOf)))
      // A rejection fails the race immediately. A response may arrive long after inclusion, and only
      // inclusion is measured.
      const [{ ms, bundles }, answeredMs] = await Promise.all([
        included.then((bundles) => ({ ms: performance.now() - began, bundles })),
        Promise.all(answers).then(() => performance.now() - began),
      ])
      const after = processorTimes()
      const taken = raceParts.flatMap((part) => {
        const [end, start] = [after[part], before[part]]
        return end === undefined || start === undefined ? [] : [[part, end - start]]
      })
      return {
        ms,
        answeredMs,
        gasPerOperation: (await gasOf(chain, bundles)) / count,
        processorTime: Object.fromEntries(taken),
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/**
 * Reads one `UserOperationEvent` of each sender from the blocks after `head`. It polls the head every
 * millisecond with the cheapest request, since the clients share the processors with both sides.
 *
 * @returns the transactions that contained them
 */
async function allIncluded(
  { rpcUrl }: DevnetNode,
  chain: Chain,
  head: bigint,
  senders: Set<Address>,
): Promise<ReadonlySet<Hash>> {
  const bundles = new Set<Hash>()
  const deadline = performance.now() + raceTimeout
  for (let read = head; ; ) {
    const latest = await readHead(rpcUrl)
    if (latest > read) {
      const logs = await chain.getContractEvents({
        address: entryPoint07Address,
        abi: entryPoint07Abi,
        eventName: 'UserOperationEvent',
        fromBlock: read + 1n,
        toBlock: latest,
        strict: true,
      })
      for (const { args, transactionHash } of logs) {
        if (senders.delete(args.sender)) bundles.add(transactionHash)
      }
      read = latest
    }
    if (senders.size === 0) return bundles
    if (performance.now() > deadline) throw new Error(`${senders.size} operations were not included in 30 s`)
    await delay(1)
  }
}

const headRequest = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })

async function readHead(rpcUrl: string): Promise<bigint> {
  const { text } = await exchange(rpcUrl, { body: headRequest })
  return BigInt(JSON.parse(text).result)
}

async function gasOf(chain: Chain, transactions: ReadonlySet<Hash>): Promise<number> {
  let gas = 0n
  for (const hash of transactions) gas += (await chain.getTransactionReceipt({ hash })).gasUsed
  return Number(gas)
}

export interface ProcessorTime {
  /** Milliseconds per operation; 0 if the system does not report it. */
  readonly whole: number
  readonly parts: Race['processorTime']
}

/**
 * Average of all races: the system counts in hundredths of a second, which is longer than one operation
 * takes.
 */
export function processorTimeOfOne(races: readonly Race[], size: number): ProcessorTime {
  const parts = raceParts.flatMap((part) => {
    const times = races.flatMap(({ processorTime }) => processorTime[part] ?? [])
    return times.length === 0 ? [] : [[part, sum(times) / (size * times.length)] as const]
  })
  return { whole: sum(parts.map(([, time]) => time)), parts: Object.fromEntries(parts) }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
