import type { DevnetNode } from '@lanyard/devnet'
import { startAlto } from '../programs/alto.ts'
import { startPostgres } from '../programs/postgres.ts'
import { startService } from '../programs/service.ts'
import { median, timed } from '../report/statistics.ts'
import { createChain, deploy, fund } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'
import { createPeer } from '../wallets/peer.ts'

/** Builds before the first measured one, so that all processes have optimized their code. */
const warmUp = 50
const rounds = 50

/** Medians in milliseconds. */
export interface BuildLatency {
  readonly state: 'deployed' | 'not deployed'
  readonly peer: number
  readonly onPGlite: number
  /** Absent if PostgreSQL is not installed. */
  readonly onPostgres?: number
}

/** Measures builds of deployed accounts, and of some that are not deployed. */
export async function measureLatency(
  node: DevnetNode,
  progress: (line: string) => void,
): Promise<BuildLatency[]> {
  const chain = createChain(node.rpcUrl)
  await using postgres = await startPostgres()
  await using onPGlite = await startService(node)
  await using onPostgres = postgres && (await startService(node, await postgres.fresh()))
  await using alto = await startAlto(node.rpcUrl)
  const services = [onPGlite, ...(onPostgres ? [onPostgres] : [])].map(({ url }) => createOurs(url))
  const peer = createPeer({ rpcUrl: node.rpcUrl, bundlerUrl: alto.url })

  const results: BuildLatency[] = []
  for (const state of ['deployed', 'not deployed'] as const) {
    const owners = ownersFrom(state === 'deployed' ? 0 : 1000, warmUp + rounds)
    await fund(chain, owners)
    if (state === 'deployed') await deploy(chain, owners)
    for (const owner of owners) for (const service of services) await service.create(owner)
    progress(`latency, accounts ${state}: ${rounds} builds each`)

    const rows: number[][] = []
    for (const owner of owners) {
      const wallet = await peer.wallet(owner)
      // An account builds many times in its life: on each side, the measured build is not its first one.
      await wallet.prepare()
      for (const service of services) await service.build(owner)
      const row = [(await timed(wallet.prepare)).ms]
      for (const service of services) row.push((await timed(() => service.build(owner))).ms)
      rows.push(row)
    }
    const [peerMedian = Number.NaN, first = Number.NaN, second] = columns(rows.slice(warmUp)).map(median)
    results.push({
      state,
      peer: peerMedian,
      onPGlite: first,
      ...(second !== undefined && { onPostgres: second }),
    })
  }
  return results
}

const columns = (rows: readonly number[][]) =>
  (rows[0] ?? []).map((_, column) => rows.flatMap((row) => row[column] ?? []))
