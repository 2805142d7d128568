/**
 * Freezes a release for the test of upgrades: `node test/upgrade/make-snapshot.ts <URL of an empty PostgreSQL database> <folder>`.
 *
 * It starts this version of the service on the database, uses it as operators and callers do, and writes what they have afterwards:
 * the database as SQL, settings and keys, and this version's client as one file. All keys are for this test only. Needs pg_dump.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createLanyardClient, send } from '@lanyard/client'
import { openDatabase } from '@lanyard/database'
import { startNode, writeNetworksFile } from '@lanyard/devnet'
import { rolldown } from 'rolldown'
import { createTestClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openSigningKeys } from '../../src/domain/accounts/tokens/signing-key.ts'
import { createTokens } from '../../src/domain/accounts/tokens/tokens.ts'
import { readEnv } from '../../src/platform/environment/env.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { startServiceProcess } from '../service-process.ts'
import type { Snapshot } from './snapshot.ts'

const [url, folder] = process.argv.slice(2)
if (!url || !folder) {
  process.stderr.write('Usage: node test/upgrade/make-snapshot.ts <URL of an empty database> <folder>\n')
  process.exit(2)
}
const packageOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const network = '31337'
const silent = createLog({ LOG_LEVEL: 'error' })
const century = 100 * 365 * 86_400

const directory = mkdtempSync(join(tmpdir(), 'lanyard-snapshot-'))
await using node = await startNode()
const networksFile = join(directory, 'networks.json')
await writeNetworksFile(networksFile, [node])
const { privateKey } = generateKeyPairSync('ed25519')
const settings = {
  TOKEN_KEY: JSON.stringify(privateKey.export({ format: 'jwk' })),
  API_KEYS: 'server:only-for-the-test-of-upgrades-0001',
  RP_ID: 'localhost',
  ORIGINS: 'http://localhost:3000',
}
const env = { ...settings, NETWORKS_FILE: networksFile, DATABASE_URL: url }

/** Runs a command of the operator, and returns what it prints as JSON. */
function lanyard(...parameters: string[]) {
  const program = packageOf('../../src/admin/cli/lanyard.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...parameters, '--json'], {
    env: { ...env, PATH: process.env.PATH },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`lanyard ${parameters.join(' ')}\n${stdout}${stderr}`)
  return JSON.parse(stdout)
}

let snapshot: Snapshot
{
  await using service = await startServiceProcess(env)
  const [, apiKey = ''] = settings.API_KEYS.split(':')
  const client = createLanyardClient({ baseUrl: service.url, apiKey })
  const createAccount = async () => {
    const key = generatePrivateKey()
    const { wallet } = await client.smartAccount.create({ eoaAddress: privateKeyToAccount(key).address })
    return { key, address: wallet.scw_address }
  }
  // Nothing listens there: a test names another address, as an operator who moves a receiver.
  const webhook = lanyard('webhooks', 'add', 'http://127.0.0.1:9/', '--key', 'server')
  const [spent, fresh] = [await createAccount(), await createAccount()]
  await client.wallet.faucet({ walletAddress: spent.address, network })
  const request = {
    network,
    walletAddress: spent.address,
    transactionDetails: [{ targetContractAddress: fresh.address, value: '1000', encodedData: '0x' }],
  }
  const sent = await send(client, { request, signer: privateKeyToAccount(spent.key) })
  const chain = createTestClient({ mode: 'anvil', transport: http(node.rpcUrl) })
  await chain.mine({ blocks: 100 })
  for (let isFinal = false; !isFinal; ) {
    const { final } = await client.smartAccount.status({ userOpHash: sent.userOpHash })
    isFinal = final
  }
  const keys = lanyard('keys', 'create', 'shop')
  const publishable = lanyard(
    'keys',
    'create',
    'page',
    '--kind',
    'publishable',
    '--origin',
    'https://shop.example',
  )

  const requests: Snapshot['requests'] = []
  const get = async (path: string) => {
    const response = await fetch(service.url + path, { headers: { 'x-api-key': apiKey } })
    requests.push({ path, status: response.status, answer: await response.json() })
  }
  await get('/networks')
  await get(`/smart-account/transaction/status?userOpHash=${sent.userOpHash}`)
  await get(`/wallet/transfers?walletAddress=${spent.address}`)
  await get('/smart-account/transaction/status?userOpHash=0x00')

  await using database = await openDatabase({ url })
  const user = await database.db
    .selectFrom('accounts')
    .select('user_id')
    .where('address', '=', fresh.address.toLowerCase())
    .executeTakeFirstOrThrow()
  const { TOKEN_KEY } = readEnv(env)
  if (!TOKEN_KEY) throw new Error('TOKEN_KEY is missing')
  const now = () => new Date()
  const signingKeys = await openSigningKeys({ database: database.db, now, log: silent }, TOKEN_KEY)
  const token = await createTokens(signingKeys, { audience: settings.RP_ID, now, lifetime: century }).issue(
    user.user_id,
  )
  snapshot = {
    ...{
      version: JSON.parse(readFileSync(packageOf('../../package.json'), 'utf8')).version,
      settings,
      network,
    },
    ...{ spent, fresh, operation: sent.userOpHash, token },
    databaseKey: keys.key,
    publishableKey: publishable.key,
    webhook: { id: webhook.id, secret: webhook.secret },
    requests,
  }
}

/** Rows of the last seconds, which a service does without. */
const withoutRows = ['rate_limits', 'cost_levels', 'passes', 'processes', 'relayer_leases']
const dump = execFileSync(
  'pg_dump',
  [
    '--no-owner',
    '--no-privileges',
    '--inserts',
    ...withoutRows.flatMap((name) => ['--exclude-table-data', name]),
    url,
  ],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
)
/** Without comments, and without what only some versions of PostgreSQL know. */
const statements = dump.replaceAll(
  /^(--.*|\\(un)?restrict .*|SET (transaction_timeout|default_table_access_method).*)$/gm,
  '',
)
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'database.sql'), `${statements.replaceAll(/\n{2,}/g, '\n').trim()}\n`)
writeFileSync(join(folder, 'snapshot.json'), `${JSON.stringify(snapshot, null, 2)}\n`)

const bundle = await rolldown({
  input: packageOf('../../../../packages/client/src/index.ts'),
  platform: 'neutral',
  external: [/^viem(\/|$)/],
})
await bundle.write({ file: join(folder, 'client.js'), minify: true, codeSplitting: false })
rmSync(directory, { recursive: true })
