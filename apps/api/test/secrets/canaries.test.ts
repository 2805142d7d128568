import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { startNode } from '@lanyard/devnet'
import { reportFigure } from '@lanyard/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createApiKey } from '../../src/api-keys/create-api-key.ts'
import { endpointList } from '../../src/endpoint-list.ts'
import { variables } from '../../src/environment/variables.ts'
import { ask } from '../http-service.ts'
import { startServiceProcess } from '../service-process.ts'

const canary = () => `canary-${randomBytes(12).toString('hex')}`

const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })

/** One in every variable that holds a secret. */
const environment = {
  API_KEYS: `server:${canary()}`,
  RELAYER_PRIVATE_KEYS: generatePrivateKey(),
  OPERATOR_PRIVATE_KEY: generatePrivateKey(),
  ATTESTOR_PRIVATE_KEYS: `${generatePrivateKey()},${generatePrivateKey()}`,
  SETTLER_PRIVATE_KEY: generatePrivateKey(),
  KEYSTORE_PASSPHRASE: canary(),
  SIGNER_URL: `http://127.0.0.1:9/${canary()}`,
  TOKEN_KEY: JSON.stringify(jwk),
}

/** By its name a secret, and none. */
const harmless = [
  'RATE_LIMIT_KEY_FACTOR',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  // Names of files; what stands in them is hidden when it is read (src/keys/key-opener.test.ts).
  'KEYSTORE_PASSPHRASE_FILE',
  'SIGNER_KEY_FILE',
]

test('behavior: every variable that could be a secret has a canary', () => {
  const suspicious = Object.keys(variables.shape).filter((name) =>
    /KEY|SECRET|PASSWORD|PASSPHRASE|MNEMONIC|URL/.test(name),
  )
  const covered = [...Object.keys(environment), 'DATABASE_URL', ...harmless]
  expect(suspicious.filter((name) => !covered.includes(name))).toEqual([])
})

/** Where the run has no PostgreSQL, there is no password either. */
const engine = testEngines().includes('postgresql') ? 'postgresql' : 'pglite'

test('behavior: no canary is in any line of the log or in any answer', { timeout: 120_000 }, async () => {
  await using database = await freshDatabase(engine)
  await using chain = await startChain()
  const password = canary()
  const databaseUrl = database.url && Object.assign(new URL(database.url), { password }).href
  const rpcKey = canary()
  const bundlerKey = canary()
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-canaries-'))
  const networksFile = join(directory, 'networks.json')
  const real = { chainId: 10_001, name: 'Away', rpcTimeout: 300 }
  await writeFile(
    networksFile,
    JSON.stringify({
      networks: [
        { chainId: chain.chainId, name: 'Here', rpcUrls: [chain.rpcUrl] },
        {
          ...real,
          rpcUrls: [`http://127.0.0.1:9/v2/${rpcKey}`, `http://me:${rpcKey}@127.0.0.1:9/?key=${rpcKey}`],
          bundler: { kind: 'remote', url: `http://127.0.0.1:9/rpc?apikey=${bundlerKey}` },
        },
      ],
    }),
  )
  const service = await startServiceProcess({
    ...environment,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    NETWORKS_FILE: networksFile,
    LOG_LEVEL: 'trace',
  })
  const answers: string[] = []
  try {
    const [, apiKey = ''] = environment.API_KEYS.split(':')
    const send = async (path: string, init: RequestInit = {}) => {
      const answer = await ask(`${service.url}${path}`, init)
      answers.push(answer.text, JSON.stringify([...answer.headers]))
      return answer
    }
    const post = (path: string, body: unknown, headers: Record<string, string>) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })

    // A user, their token, and what fails behind the network that is away.
    const owner = privateKeyToAccount(generatePrivateKey())
    const created = await post(
      '/smart-account/create',
      { eoaAddress: owner.address },
      { 'x-api-key': apiKey },
    )
    const walletAddress: string = created.body.wallet.scw_address
    const begun = await post(
      '/login/message',
      { walletAddress, eoaAddress: owner.address },
      { 'x-api-key': apiKey },
    )
    const { message } = begun.body
    const signature = await owner.signMessage({ message })
    const signedIn = await ask(`${service.url}/login/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ message, signature }),
    })
    const token: string = signedIn.body.token // the one answer that a secret belongs into
    expect(token).toMatch(/^eyJ/)

    const made = engine === 'postgresql' ? await createApiKey(database.db, server, new Date()) : undefined
    const withKey = { 'x-api-key': apiKey }
    const credentials: Record<string, string>[] = [
      {},
      withKey,
      { authorization: `Bearer ${apiKey}x` },
      { 'x-api-key': apiKey, authorization: `Bearer ${token}` },
      { 'x-api-key': apiKey, authorization: `Bearer ${token}x` },
      ...(made ? [{ 'x-api-key': made.key }, { 'x-api-key': `${made.key}x` }] : []),
    ]
    const inputs = [
      {},
      { walletAddress, network: '10001', outputNetwork: '10001', username: created.body.username },
      {
        walletAddress,
        network: '10001',
        transactionDetails: [{ targetContractAddress: owner.address, value: '1', encodedData: '0x' }],
      },
    ]
    // Nobody asks an RPC that is left alone for a moment: its address is in what the next try throws.
    await expect
      .poll(
        async () => {
          await post('/smart-account/transaction/build', inputs[2], withKey)
          return service.output()
        },
        { timeout: 40_000, interval: 300 },
      )
      .toContain('[hidden]')
    for (const { name, declaration } of endpointList) {
      for (const headers of credentials) {
        for (const input of headers === withKey ? inputs : inputs.slice(0, 1)) {
          const query = new URLSearchParams()
          for (const [key, value] of Object.entries(input)) query.append(key, String(value))
          if (declaration.method === 'GET') {
            await send(`${declaration.path}?${query}`, { headers })
            await send(`/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`, { headers })
          } else {
            await post(declaration.path, input, headers)
            await post(`/trpc/${name}`, input, headers)
          }
        }
      }
    }
    for (const path of ['/metrics', '/docs', '/openapi.json', '/']) {
      await send(path, { headers: { 'x-api-key': apiKey } })
    }
    await service.stop()

    const secrets = [
      apiKey,
      token,
      made?.key.slice(made.id.length),
      environment.RELAYER_PRIVATE_KEYS,
      environment.OPERATOR_PRIVATE_KEY,
      ...environment.ATTESTOR_PRIVATE_KEYS.split(','),
      environment.SETTLER_PRIVATE_KEY,
      environment.KEYSTORE_PASSPHRASE,
      environment.SIGNER_URL,
      jwk.d,
      password,
      rpcKey,
      bundlerKey,
    ].filter((secret) => secret !== undefined)
    const output = service.output()
    // The log had something to hide: what failed behind the network that is away names its address.
    expect(output).toContain('[hidden]')
    expect(output.split('\n').filter((line) => line.includes('"path":')).length).toBeGreaterThan(300)
    for (const secret of secrets) {
      const bare = secret.replace(/^0x/, '')
      expect(output.includes(bare), 'in the log').toBe(false)
      expect(
        answers.some((answer) => answer.includes(bare)),
        'in an answer',
      ).toBe(false)
    }
    reportFigure(12, 'canaries', secrets.length)
    reportFigure(12, 'lines of the log searched', output.split('\n').length)
    reportFigure(12, 'answers searched', answers.length)
  } finally {
    await service.stop()
    await rm(directory, { recursive: true })
  }
})

const server = { kind: 'secret', name: 'server', origins: [] } as const

async function startChain() {
  const node = await startNode()
  return { chainId: node.chainId, rpcUrl: node.rpcUrl, [Symbol.asyncDispose]: () => node.stop() }
}
