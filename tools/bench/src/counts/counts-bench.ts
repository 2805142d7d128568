import { startNode } from '@lanyard/devnet'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import { startService } from '../programs/service.ts'
import type { Comparison, Goal } from '../report/result.ts'
import { median } from '../report/statistics.ts'
import { versionsOf } from '../report/versions.ts'
import { createStatementLog, logStatements } from '../scaling/statement-log.ts'
import { createChain, deploy, fund } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'

const sizes = [1, 4, 16, 32, 60]
const rounds = 5

interface Counts {
  readonly statements: number
  readonly requests: number
  /** The statements of a build, in order. */
  readonly ofBuild: number
}

/**
 * The database statements and node requests of an operation, by number of concurrent operations. Counts
 * hardly vary between machines.
 */
export const countsBench: Bench = {
  name: 'counts',
  async run(progress) {
    await using postgres = await startPostgres()
    if (!postgres) throw new Error('This bench needs PostgreSQL: initdb and postgres.')
    await using node = await startNode()
    let methods: string[] = []
    await using proxy = await startRpcProxy(node.rpcUrl, 0, async (requests) => {
      methods.push(...requests.map(({ method }) => method))
    })
    const chain = createChain(node.rpcUrl)
    const owners = ownersFrom(0, Math.max(...sizes))
    await fund(chain, owners)
    await deploy(chain, owners)
    const url = await postgres.fresh()
    await logStatements(url)
    const takeStatements = createStatementLog(url)
    await using service = await startService({ chainId: node.chainId, rpcUrl: proxy.url }, url)
    const ours = createOurs(service.url)
    for (const owner of owners) await ours.create(owner)

    /** The requests of the last operations, by their number. */
    const asked = new Map<number, ReadonlyMap<string, number>>()
    async function submit(size: number): Promise<Counts> {
      await takeStatements()
      const sends: (() => Promise<unknown>)[] = []
      for (const owner of owners.slice(0, size)) {
        const { messageToSign } = await ours.build(owner)
        // typed as string in the response
        const signature = await owner.sign({ hash: messageToSign as `0x${string}` })
        sends.push(() => ours.submit(owner, signature))
      }
      const ofBuild = (await takeStatements()).length / size
      methods = []
      await Promise.all(sends.map((send) => send()))
      const statements = await takeStatements()
      asked.set(size, countBy([...statements, ...methods]))
      return { statements: statements.length / size, requests: methods.length / size, ofBuild }
    }
    await submit(1) // warm-up
    const comparisons: Comparison[] = []
    for (const size of sizes) {
      progress(`${size} at once, ${rounds} times`)
      const counts: Counts[] = []
      for (let round = 0; round < rounds; round++) {
        const one = await submit(size)
        counts.push(one)
        progress(`${one.statements.toFixed(2)} statements, ${one.requests.toFixed(2)} requests an operation`)
      }
      comparisons.push(...compare(size, counts))
      for (const [text, count] of asked.get(size) ?? []) progress(`${(count / size).toFixed(2)} ${text}`)
    }
    return {
      title: 'Statements and requests of an operation',
      method: `SQL statements and JSON-RPC requests from the request that submits a signed operation to its answer after inclusion, by number of concurrently submitting accounts. Statements are those that PostgreSQL logs, including \`begin\` and \`commit\`; a proxy counts the requests. Both include the service's background work. Medians of ${rounds} rounds.`,
      versions: versionsOf('@lanyard/devnet'),
      comparisons,
    }
  },
}

const compare = (size: number, counts: readonly Counts[]): Comparison[] => [
  ...(size === 1
    ? [
        {
          what: 'SQL statements of a build',
          unit: 'statements',
          ours: median(counts.map(({ ofBuild }) => ofBuild)),
        } as const,
      ]
    : []),
  {
    what: `SQL statements an operation, ${size} at once`,
    unit: 'statements',
    ours: median(counts.map(({ statements }) => statements)),
    ...(size === 32 && { goal: goalOf(1.5) }),
  },
  {
    what: `RPC requests an operation, ${size} at once`,
    unit: 'requests',
    ours: median(counts.map(({ requests }) => requests)),
    ...(size === 32 && { goal: goalOf(0.5), whenMissed: whyMoreRequests }),
  },
]

const whyMoreRequests =
  'requests that arrive shortly after the first do not share its calls to the node, and the service polls for receipts until the block is mined, so the count varies between runs.'

const goalOf = (value: number): Goal => ({ of: 'ours', bound: 'at most', value })

/** Counts equal texts, most frequent first. */
function countBy(texts: readonly string[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(texts, (text) => text.replaceAll(/\s+/g, ' ').slice(0, 160))
  return new Map(
    [...groups].map(([text, all]) => [text, all.length] as const).toSorted((a, b) => b[1] - a[1]),
  )
}
