import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServiceProcess, startServiceProcess } from '@lanyard/api/test/service-process.ts'
import {
  type Devnet,
  localTransport,
  type RunningNetwork,
  startDevnet,
  writeNetworksFile,
} from '@lanyard/devnet'
import { createTestClient, publicActions, walletActions } from 'viem'

/** A service whose chains keep running after it stops. */
export interface Stage extends AsyncDisposable {
  readonly networks: readonly RunningNetwork[]
  readonly service: ServiceProcess
  /** Writes a file for the script. */
  readonly keep: (name: string, content: string) => Promise<string>
}

/** Starts three local networks and a service that uses them. */
export async function startStage(): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-recovery-'))
  const devnet: Devnet = await startDevnet()
  const networksFile = join(directory, 'networks.json')
  await writeNetworksFile(networksFile, devnet.networks)
  const service = await startServiceProcess({ NETWORKS_FILE: networksFile })
  return {
    networks: devnet.networks,
    service,
    keep: async (name, content) => {
      const path = join(directory, name)
      await writeFile(path, content)
      return path
    },
    [Symbol.asyncDispose]: async () => {
      await service.stop()
      await devnet.stop()
      await rm(directory, { recursive: true })
    },
  }
}

/** A client of a network's node, to read state and advance its time. */
export const chainOf = ({ rpcUrl }: RunningNetwork) =>
  createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
