import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hash } from '@lanyard/contracts'
import { startNode } from '@lanyard/devnet'
import { startPostgres } from '../programs/postgres.ts'
import { startService } from '../programs/service.ts'
import { createChain, deploy, fund } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'
import { flameGraph } from './flame-graph.ts'

const folder = fileURLToPath(new URL('../../../../docs/flame-graphs/', import.meta.url))
const accounts = 40
const builds = 10
const lookUps = 10_000
const connections = 10

type Ours = ReturnType<typeof createOurs>
type Owners = ReturnType<typeof ownersFrom>

/** The profiled workloads of the service. Its start is a small part of each. */
const workloads: Readonly<Record<string, (url: string, ours: Ours, owners: Owners) => Promise<void>>> = {
  async build(_url, ours, owners) {
    for (let round = 0; round < builds; round++) await Promise.all(owners.map((owner) => ours.build(owner)))
  },
  async submit(_url, ours, owners) {
    for (let round = 0; round < builds / 2; round++) {
      await Promise.all(
        owners.map(async (owner) => {
          const { messageToSign } = await ours.build(owner)
          await ours.submit(owner, await owner.sign({ hash: hash.parse(messageToSign) }))
        }),
      )
    }
  },
  async rest(url) {
    const ask = async () => {
      for (let count = 0; count < lookUps / connections; count++) {
        const response = await fetch(`${url}/api/user/check-username?username=nobody`)
        await response.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: connections }, ask))
  },
}

/** The workloads with existing flame graphs. */
export const drawnProfiles = (): readonly string[] =>
  Object.keys(workloads).filter((name) => existsSync(join(folder, `${name}.svg`)))

/**
 * Profiles the service under each workload, on PostgreSQL if it is installed, and draws docs/flame-graphs.
 */
export async function drawProfiles(progress: (line: string) => void): Promise<void> {
  await mkdir(folder, { recursive: true })
  await using postgres = await startPostgres()
  for (const [name, run] of Object.entries(workloads)) {
    progress(`profiling ${name}`)
    const profiles = await mkdtemp(join(tmpdir(), 'lanyard-profile-'))
    try {
      await using node = await startNode()
      const chain = createChain(node.rpcUrl)
      const owners = ownersFrom(0, name === 'rest' ? 0 : accounts)
      await fund(chain, owners)
      await deploy(chain, owners)
      {
        await using service = await startService(node, await postgres?.fresh(), profiles)
        const ours = createOurs(service.url)
        for (const owner of owners) await ours.create(owner)
        await run(service.url, ours, owners)
      }
      const [file] = await readdir(profiles)
      if (file === undefined) throw new Error('The service ended without a profile')
      const profile: unknown = JSON.parse(await readFile(join(profiles, file), 'utf8'))
      await writeFile(join(folder, `${name}.svg`), flameGraph(profile, name))
    } finally {
      await rm(profiles, { recursive: true })
    }
  }
}
