import { request } from 'node:http'
import { platform } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type DevnetNode, startNode } from '@lanyard/devnet'
import type { Address, Hash, PrivateKeyAccount } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { processorTimeOf } from '../programs/process-tree.ts'
import { accountOf, type Chain, createChain, deploy, fund } from '../wallets/chain.ts'
import { ownersFrom } from '../wallets/owner.ts'

/** A way for operations onto the chain. */
interface Contender extends AsyncDisposable {
  /** Builds and signs an operation; what it answers sends it. */
  prepare(owner: PrivateKeyAccount): Promise<() => Promise<unknown>>
  /** Process IDs, without the node and the clients in this process. */
  readonly processes: Readonly<Partial<Record<RacePart, number>>>
}

/** What takes processor time: a service or Alto, a database in a process of its own, the node, the clients. */
export const raceParts = ['service', 'database', 'node', 'clients'] as const
type RacePart = (typeof raceParts)[number]

export type EnterRace = (fixture: {
  node: DevnetNode
  chain: Chain
  owners: readonly PrivateKeyAccount[]
}) => Promise<Contender>

export interface RaceFixture extends AsyncDisposable {
  /** One operation of each of so many accounts, sent at once, until all are included. */
  race(count: number): Promise<Race>
}

type ProcessorTimes = Readonly<Partial<Record<RacePart, number>>>

export interface Race {
  readonly ms: number
  /** What the transactions used that brought them, divided by their number. */
  readonly gasPerOperation: number
  /** Milliseconds of processor time by what took it; empty where the system does not say (any but Linux). */
  readonly processorTime: ProcessorTimes
}

/** Milliseconds after which a race counts as lost. */
const raceBound = 30_000

/** A node of its own, with funded and deployed accounts. */
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
      // One account after the other, so that none waits for its own last operation.
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
      // A refusal fails the race at once; an answer may come long after inclusion, which is what counts.
      const [{ ms, bundles }] = await Promise.all([
        included.then((bundles) => ({ ms: performance.now() - began, bundles })),
        ...answers,
      ])
      const after = processorTimes()
      const taken = raceParts.flatMap((part) => {
        const [end, start] = [after[part], before[part]]
        return end === undefined || start === undefined ? [] : [[part, end - start]]
      })
      return {
        ms,
        gasPerOperation: (await gasOf(chain, bundles)) / count,
        processorTime: Object.fromEntries(taken),
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/**
 * Reads one `UserOperationEvent` of each sender from the blocks after `head`. The head is asked for every millisecond, by
 * the cheapest request there is, since the clients share the processors with both sides.
 *
 * @returns the transactions that they came with
 */
async function allIncluded(
  { rpcUrl }: DevnetNode,
  chain: Chain,
  head: bigint,
  senders: Set<Address>,
): Promise<ReadonlySet<Hash>> {
  const bundles = new Set<Hash>()
  const deadline = performance.now() + raceBound
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

function readHead(rpcUrl: string): Promise<bigint> {
  const { promise, resolve, reject } = Promise.withResolvers<bigint>()
  const asked = request(
    rpcUrl,
    { method: 'POST', headers: { 'content-type': 'application/json' } },
    (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve(BigInt(JSON.parse(text).result)))
      answer.on('error', reject)
    },
  )
  asked.on('error', reject)
  asked.end(headRequest)
  return promise
}

async function gasOf(chain: Chain, transactions: ReadonlySet<Hash>): Promise<number> {
  let gas = 0n
  for (const hash of transactions) gas += (await chain.getTransactionReceipt({ hash })).gasUsed
  return Number(gas)
}
