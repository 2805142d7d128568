import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { endpoints, hash } from '@lanyard/contracts'
import { openDatabase } from '@lanyard/database'
import { type DevnetNode, startNode } from '@lanyard/devnet'
import { findNginx, startNginx } from '@lanyard/testing/balancer'
import type { Address, Hex, PrivateKeyAccount } from 'viem'
import { watchHeap } from '../growth/heap.ts'
import { freePort } from '../programs/free-port.ts'
import type { Postgres } from '../programs/postgres.ts'
import { startProcess } from '../programs/service.ts'
import type { Program } from '../programs/start-program.ts'
import { accountOf, createChain, deploy, fund } from '../wallets/chain.ts'
import { paid } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'
import type { AttackGround } from './attacks.ts'

const lanyard = fileURLToPath(new URL('../../../../apps/api/src/admin/cli/lanyard.ts', import.meta.url))
const secret = 'a-secret-of-the-bench-of-victims'
const page = 'https://app.example'

export const victimCount = 25
const attackerWallets = 8

export interface Fixture extends AsyncDisposable {
  readonly replicas: readonly Program[]
  /** The address through nginx; undefined without nginx. */
  readonly nginxUrl: string | undefined
  readonly node: DevnetNode
  readonly databasePid: number
  readonly victims: readonly Address[]
  readonly ground: AttackGround
  /** Of every visitor of the app. */
  readonly headers: Readonly<Record<string, string>>
  /** MiB of the first replica's heap after a collection. */
  heap(): Promise<number>
  /** MiB. */
  databaseSize(): Promise<number>
}

/** A service in production: PostgreSQL, keys, default limits, one proxy. */
export async function startFixture(
  postgres: Postgres,
  replicaCount: number,
  profileTo?: string,
): Promise<Fixture> {
  await using started = new AsyncDisposableStack()
  const node = started.use(await startNode())
  const databaseUrl = await postgres.fresh()
  const { privateKey } = generateKeyPairSync('ed25519')
  const inspector = await freePort()
  const environment = {
    NODE_ENV: 'production',
    API_KEYS: `server:${secret}`,
    TOKEN_KEY: JSON.stringify(privateKey.export({ format: 'jwk' })),
    RATE_LIMITS: 'on',
    TRUST_PROXY: '1',
  }
  const replicas: Program[] = []
  for (let index = 0; index < replicaCount; index++) {
    const first = index === 0 && { NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` }
    replicas.push(
      started.use(
        await startProcess([{ chainId: node.chainId, rpcUrl: node.rpcUrl }], {
          databaseUrl,
          profileTo: index === 0 ? profileTo : undefined,
          environment: { ...environment, ...first },
        }),
      ),
    )
  }
  const nginx = findNginx()
  const urls = replicas.map(({ url }) => url)
  const balancer = nginx === undefined ? undefined : started.use(await startNginx(nginx, urls))

  const owners = ownersFrom(900, victimCount + attackerWallets)
  const chain = createChain(node.rpcUrl)
  await fund(chain, owners)
  await deploy(chain, owners)
  const [url = ''] = urls
  for (const owner of owners)
    await postAsServer(url, endpoints.smartAccount.create.path, { eoaAddress: owner.address })
  const attackers = owners.slice(victimCount)
  const usedSignature = await useSignature(url, node.chainId, attackers[0] as PrivateKeyAccount) // there are eight
  const headers = { 'x-api-key': await createPublishableKey(databaseUrl), origin: page }
  const { measure } = await watchHeap(inspector)
  const disposables = started.move()
  return {
    replicas,
    nginxUrl: balancer?.url,
    node,
    databasePid: postgres.pid,
    victims: owners.slice(0, victimCount).map(accountOf),
    headers,
    heap: measure,
    databaseSize: () => measureDatabase(databaseUrl),
    ground: {
      network: node.chainId,
      wallets: attackers.map(accountOf),
      usedSignature,
      setCode: (address, bytecode) => chain.setCode({ address, bytecode }),
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  }
}

async function postAsServer(url: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': secret, 'x-forwarded-for': '192.0.2.1' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Includes one operation. @returns its signature */
async function useSignature(url: string, network: number, owner: PrivateKeyAccount): Promise<Hex> {
  const { build, submit } = endpoints.smartAccount
  const walletAddress = accountOf(owner)
  const built = build.output.parse(
    await postAsServer(url, build.path, {
      network: String(network),
      walletAddress,
      transactionDetails: [paid],
    }),
  )
  const signature = await owner.sign({ hash: hash.parse(built.messageToSign) })
  await postAsServer(url, submit.path, { walletAddress, signature })
  return signature
}

async function measureDatabase(url: string): Promise<number> {
  await using database = await openDatabase({ url, maxConnections: 1 })
  const answer = await database.pool?.query('select pg_database_size(current_database())::text as bytes')
  return Number(answer?.rows[0]?.bytes) / 2 ** 20
}

async function createPublishableKey(databaseUrl: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [lanyard, 'keys', 'create', 'app', '--kind', 'publishable', '--origin', page, '--json'],
    { env: { DATABASE_URL: databaseUrl } },
  )
  const { key }: { key: string } = JSON.parse(stdout)
  return key
}
