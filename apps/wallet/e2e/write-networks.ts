import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Port 1 is reserved (RFC 6335 §6), so nothing listens there. */
const closedPort = 1

/**
 * Writes a NETWORKS_FILE with two networks: one that answers at `rpcUrl`, and one with an unreachable RPC.
 * The file is deleted when the result is disposed.
 */
export async function writeNetworks(rpcUrl: string): Promise<{ readonly path: string } & AsyncDisposable> {
  const unreachable = `http://127.0.0.1:${closedPort}`
  const networks = [
    { chainId: 31337, name: 'Local 1', rpcUrls: [rpcUrl], bundler: { kind: 'remote', url: unreachable } },
    {
      chainId: 424242,
      name: 'Unreachable',
      rpcUrls: [unreachable],
      bundler: { kind: 'remote', url: unreachable },
    },
  ]
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-networks-'))
  const path = join(folder, 'networks.json')
  await writeFile(path, JSON.stringify({ networks }))
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}
