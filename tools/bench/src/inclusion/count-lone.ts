import { readFileSync, statSync } from 'node:fs'
import { startNode } from '@lanyard/devnet'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { Postgres } from '../programs/postgres.ts'
import { startService } from '../programs/service.ts'
import { medians } from '../report/statistics.ts'
import { createChain, deploy, fund, ownersFrom } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'

/** What a lone operation takes from its request to the answer: its submission, its bundle, and its inclusion. */
export interface LoneCounts {
  /** SQL statements that the service sends, each a round trip to the database. */
  readonly statements: number
  /** Database transactions that write. */
  readonly commits: number
  /** HTTP requests to the node. */
  readonly trips: number
  /** JSON-RPC requests in them. */
  readonly requests: number
}

/**
 * What an operation takes when the relayer's transactions are settled too: on a slow machine, that is more than every second
 * one. On a quiet one it is 8 statements, 5 commits, 3 trips and 7 requests. The bench fails above it; the goals are stricter.
 */
const maxOfLone: LoneCounts = { statements: 9, commits: 5, trips: 4, requests: 10 }

const warmUp = 10
const rounds = 21

/**
 * Counts of operations that are sent one after the other, on PostgreSQL: medians, since the fees are read again every 100 ms
 * and the relayer's transactions are settled every second.
 *
 * @throws if a count is above {@link maxOfLone}
 */
export async function countLone(postgres: Postgres): Promise<LoneCounts> {
  await using node = await startNode()
  await using proxy = await startRpcProxy(node.rpcUrl)
  const database = await postgres.watched()
  await using service = await startService({ chainId: node.chainId, rpcUrl: proxy.url }, database.url)
  const chain = createChain(node.rpcUrl)
  const ours = createOurs(service.url)
  const owners = ownersFrom(0, warmUp + rounds)
  await fund(chain, owners)
  await deploy(chain, owners)
  for (const owner of owners) await ours.create(owner)
  const counted: LoneCounts[] = []
  for (const [index, owner] of owners.entries()) {
    const signature = await ours.sign(owner)
    const before = await database.writes()
    const position = statSync(postgres.log).size
    proxy.take()
    await ours.submit(owner, signature)
    const { trips, requests } = proxy.take()
    const statements = countStatements(postgres.log, position)
    const commits = (await database.writes()) - before
    if (index >= warmUp) counted.push({ statements, commits, trips, requests })
  }
  const counts = medians<keyof LoneCounts>(counted)
  for (const [what, max] of Object.entries(maxOfLone) as [keyof LoneCounts, number][]) {
    if (counts[what] > max)
      throw new Error(`A lone operation takes ${counts[what]} ${what}; at most ${max} are allowed.`)
  }
  return counts
}

/** PostgreSQL writes a line for each statement when it begins: `execute` for one with values, else `statement`. */
function countStatements(log: string, position: number): number {
  const text = readFileSync(log).subarray(position).toString()
  return text.match(/LOG: {2}(?:execute|statement)\b/g)?.length ?? 0
}
