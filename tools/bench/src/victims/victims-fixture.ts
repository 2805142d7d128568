import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openDatabase } from '@lanyard/database'
import { startNode } from '@lanyard/devnet'
import { findNginx, startNginx } from '@lanyard/testing/balancer'
import type { Hex, PrivateKeyAccount } from 'viem'
import type { Postgres } from '../programs/postgres.ts'
import { memoryOf, processorTimesByProgram } from '../programs/process-tree.ts'
import { startProcess } from '../programs/service.ts'
import type { Program } from '../programs/start-program.ts'
import { accountOf, createChain, deploy, fund, ownersFrom } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import type { AttackGround } from './attacks.ts'

const lanyard = fileURLToPath(new URL('../../../../apps/api/src/admin/cli/lanyard.ts', import.meta.url))
const secret = 'a-secret-of-the-bench-of-victims'
const page = 'https://app.example'

export const victimCount = 25
const attackerWallets = 8
/** Wallets of each kind, with and without foreign builds. */
export const builtForCount = 8

export type Fixture = Awaited<ReturnType<typeof startFixture>>

/** Two replicas in production mode, with keys and default limits, behind one proxy, on one PostgreSQL. */
export async function startFixture(postgres: Postgres) {
  await using started = new AsyncDisposableStack()
  const node = started.use(await startNode())
  const databaseUrl = await postgres.fresh()
  const { privateKey } = generateKeyPairSync('ed25519')
  const environment = {
    NODE_ENV: 'production',
    API_KEYS: `server:${secret}`,
    TOKEN_KEY: JSON.stringify(privateKey.export({ format: 'jwk' })),
    RATE_LIMITS: 'on',
    TRUST_PROXY: '1',
  }
  const replicas: Program[] = []
  for (let count = 0; count < 2; count++) {
    const network = { chainId: node.chainId, rpcUrl: node.rpcUrl }
    replicas.push(started.use(await startProcess([network], { databaseUrl, environment })))
  }
  const urls = replicas.map(({ url }) => url)
  const nginx = findNginx()
  const proxy = nginx === undefined ? undefined : started.use(await startNginx(nginx, urls))
  const headers: Readonly<Record<string, string>> = {
    'x-api-key': await createPublishableKey(databaseUrl),
    origin: page,
  }

  const owners = ownersFrom(900, victimCount + attackerWallets + 2 * builtForCount)
  const chain = createChain(node.rpcUrl)
  await fund(chain, owners)
  await deploy(chain, owners)
  const from = (address: string, more = headers) => ({ ...more, 'x-forwarded-for': address })
  const [buildsAt = '', submitsAt = ''] = urls
  const sign = (owner: PrivateKeyAccount, headersOf: typeof headers) =>
    createOurs(buildsAt, headersOf).sign(owner)
  const submitFrom = (owner: PrivateKeyAccount, signature: Hex, headersOf: typeof headers) =>
    createOurs(submitsAt, headersOf).submit(owner, signature)
  const asServer = from('192.0.2.1', { 'x-api-key': secret })
  for (const owner of owners) await createOurs(buildsAt, asServer).create(owner)
  const attackers = owners.slice(victimCount, victimCount + attackerWallets)
  const [first = owners[0] as PrivateKeyAccount] = attackers // there are eight
  const usedSignature = await sign(first, asServer)
  await submitFrom(first, usedSignature, asServer)

  const { pool } = started.use(await openDatabase({ url: databaseUrl, maxConnections: 1 }))
  const query = async (text: string, values: unknown[] = []) => pool?.query(text, values)
  const ground: AttackGround = {
    network: node.chainId,
    wallets: attackers.map(accountOf),
    usedSignature,
    setCode: (address, bytecode) => chain.setCode({ address, bytecode }),
  }
  const disposables = started.move()
  return {
    urls,
    /** nginx with the shipped configuration, in front of both replicas. Undefined where it is not installed. */
    proxy: proxy && { url: proxy.url, name: proxy.name },
    ground,
    /** Of every visitor of the app. */
    headers,
    victims: owners.slice(0, victimCount).map(accountOf),
    builtFor: owners.slice(victimCount + attackerWallets),
    from,
    sign,
    submitFrom,
    /** Copies the unsigned build of a wallet, as other callers who build for it would. */
    async copyBuild(owner: PrivateKeyAccount, copies: number): Promise<void> {
      await query(
        `insert into operations select (jsonb_populate_record(one, jsonb_build_object(
           'user_op_hash', '0x' || md5('a' || n) || md5('b' || one.account || n),
           'safe_op_hash', '0x' || md5('c' || n) || md5('d' || one.account || n),
           'built_by', 'another ' || n % 16))).*
         from operations one, generate_series(1, $2::int) n where account = $1 and signature is null`,
        [accountOf(owner).toLowerCase(), copies],
      )
    },
    /** MiB. */
    databaseSize: async () => {
      const answer = await query('select pg_database_size(current_database())::text as bytes')
      return Number(answer?.rows[0]?.bytes) / 2 ** 20
    },
    /** Milliseconds that each program has computed so far: the node, the database, and all that this process started. */
    processorTimes: () => processorTimesByProgram([process.pid, postgres.pid]),
    /** MiB of both replicas and the proxy. */
    memory: () => [...replicas, ...(proxy ? [proxy] : [])].reduce((sum, { pid }) => sum + memoryOf(pid), 0),
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  }
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
