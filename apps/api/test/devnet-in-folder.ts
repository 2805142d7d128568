import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '@lanyard/database'
import { freshDatabase } from '@lanyard/database/testing'
import { type Devnet, type StartDevnetOptions, startDevnet, writeNetworksFile } from '@lanyard/devnet'

/** Local networks that outlive the processes of a test, and the files of those processes. */
export interface DevnetInFolder extends Devnet {
  readonly networksFile: string
  /** Deleted with the networks. */
  readonly directory: string
  /**
   * The environment of processes that run one after the other on the same new database. Disposing it deletes a
   * PostgreSQL database.
   */
  environment(engine: Engine): Promise<AsyncDisposable & { readonly env: Record<string, string> }>
}

export async function startDevnetInFolder(options?: StartDevnetOptions): Promise<DevnetInFolder> {
  await using started = new AsyncDisposableStack()
  const devnet = started.use(await startDevnet(options))
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-devnet-'))
  started.defer(() => rm(directory, { recursive: true }))
  const networksFile = join(directory, 'networks.json')
  await writeNetworksFile(networksFile, devnet.networks)
  const resources = started.move()
  const stop = () => resources.disposeAsync()
  let databases = 0
  return {
    ...{ networks: devnet.networks, networksFile, directory, stop, [Symbol.asyncDispose]: stop },
    async environment(engine) {
      const database = engine === 'postgresql' ? await freshDatabase(engine) : undefined
      const storage: Record<string, string> = database?.url
        ? { DATABASE_URL: database.url }
        : { DATA_DIR: join(directory, `data-${databases++}`) }
      return {
        env: { NETWORKS_FILE: networksFile, ...storage },
        [Symbol.asyncDispose]: async () => database?.[Symbol.asyncDispose](),
      }
    },
  }
}
