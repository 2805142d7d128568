/** @module-tag all */
/** @module-tag first */
// @promise 12

import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { devRoles, startNode } from '@lanyard/devnet'
import { createKeystore } from '@lanyard/signers'
import { publicKeyOf } from '@lanyard/signers/fake-signer'
import { randomPrivateKey, reportFigure } from '@lanyard/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createApiKey } from '../../src/domain/accounts/api-keys/manage-api-keys.ts'
import { endpointList } from '../../src/platform/endpoint-list.ts'
import { variables } from '../../src/platform/environment/variables.ts'
import { ask } from '../http-service.ts'
import { startServiceProcess } from '../service-process.ts'

const canary = () => `canary-${randomBytes(12).toString('hex')}`

const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })

const consolePassword = canary()
const loginSecret = canary()
const readerPassword = canary()
const priceKey = canary()
const [auditPath, screeningPath] = [canary(), canary()]
const [auditSecret, screeningSecret] = [canary(), canary()].map((text) =>
  Buffer.from(text).toString('base64'),
) as [string, string]

/** A canary in every variable that holds a secret. */
const environment = {
  API_KEYS: `server:${canary()}`,
  RELAYER_PRIVATE_KEYS: randomPrivateKey(),
  RELAYER_TREASURY_PRIVATE_KEY: randomPrivateKey(),
  TOP_UP_PRIVATE_KEY: randomPrivateKey(),
  ATTESTOR_PRIVATE_KEYS: `${randomPrivateKey()},${randomPrivateKey()}`,
  KEYSTORE_PASSPHRASE: canary(),
  TOKEN_KEY: JSON.stringify(jwk),
  CONSOLE_PROMETHEUS_URL: `http://me:${consolePassword}@127.0.0.1:9`,
  AUDIT_WEBHOOK_URL: `http://127.0.0.1:9/${auditPath}`,
  AUDIT_WEBHOOK_SECRET: `whsec_${auditSecret}`,
  SCREENING_URL: `http://127.0.0.1:9/${screeningPath}`,
  SCREENING_SECRET: `whsec_${screeningSecret}`,
  SCREENING_FAILURE: 'allow',
  CONSOLE_OIDC_ISSUER: 'http://127.0.0.1:9',
  CONSOLE_OIDC_CLIENT_ID: 'lanyard',
  CONSOLE_OIDC_CLIENT_SECRET: canary(),
  CONSOLE_OIDC_ROLES: 'admins=admin',
  IDENTITY_SECRETS: `${canary()}-${canary()}`,
  IDENTITY_PROVIDERS: JSON.stringify([
    { issuer: 'http://127.0.0.1:9', name: 'Login', audience: 'lanyard', clientSecret: loginSecret },
  ]),
  DATABASE_READ_URL: `postgresql://reader:${readerPassword}@127.0.0.1:9/lanyard`,
}

/** A key in an encrypted file that the service opens. */
const settlerKey = randomPrivateKey()
/** The token for the signer and the signer's path. The signer repeats both in its answers. */
const signerToken = canary()
const signerPath = canary()

/** Places one key in an encrypted file, and one at a remote signer that requires a token. */
async function placeKeys(directory: string, signerUrl: string) {
  const keystore = join(directory, 'settler.json')
  await createKeystore({
    path: keystore,
    privateKey: settlerKey,
    passphrase: environment.KEYSTORE_PASSPHRASE,
    scrypt: { n: 1024, r: 8, p: 1 },
  })
  const tokenFile = join(directory, 'signer-token')
  await writeFile(tokenFile, `${signerToken}\n`)
  return {
    SETTLER_PRIVATE_KEY: `keystore:${keystore}`,
    OPERATOR_PRIVATE_KEY: `remote:${publicKeyOf(devRoles.operator.privateKey)}`,
    SIGNER_URL: `${signerUrl}/${signerPath}`,
    SIGNER_TOKEN_FILE: tokenFile,
  }
}

const placed: readonly (keyof Awaited<ReturnType<typeof placeKeys>>)[] = [
  'SETTLER_PRIVATE_KEY',
  'OPERATOR_PRIVATE_KEY',
  'SIGNER_URL',
  'SIGNER_TOKEN_FILE',
]

/** A source of prices that answers with its own address, which contains a key, in place of a price. */
async function startQuotingSource() {
  const source = createServer(({ url }, response) => {
    const price = { price: `${url}`.slice(-priceKey.length), at: new Date().toISOString() }
    response.end(JSON.stringify({ currency: 'USD', prices: { ETH: price }, [`${url}`]: url }))
  }).listen(0, '127.0.0.1')
  await once(source, 'listening')
  const { port } = source.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/prices?key=${priceKey}`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => source.close(resolve))
    },
  }
}

/** A broken remote signer that repeats each request in its answer. */
async function startQuotingSigner() {
  const quoted: string[] = []
  const signer = createServer(async (request, response) => {
    let text = `${request.method} ${request.url} ${JSON.stringify(request.headers)} `
    for await (const chunk of request) text += chunk
    quoted.push(text)
    response.writeHead(500).end(text)
  }).listen(0, '127.0.0.1')
  await once(signer, 'listening')
  const { port } = signer.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    quoted,
    async [Symbol.asyncDispose]() {
      signer.closeAllConnections()
      await new Promise((resolve) => signer.close(resolve))
    },
  }
}

/** Variables whose names look like secrets but are not. */
const harmless = [
  'RATE_LIMIT_KEY_FACTOR',
  'TOKEN_LIFETIME',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'KMS_ENDPOINT',
  'CONSOLE_PASSKEYS',
  // Names of files. The log hides their contents (src/platform/keys/key-opener.test.ts).
  'KEYSTORE_PASSPHRASE_FILE',
  'SIGNER_KEY_FILE',
]

test('behavior: every variable that could be a secret has a canary', () => {
  const suspicious = Object.keys(variables.shape).filter((name) =>
    /KEY|SECRET|TOKEN|PASSWORD|PASSPHRASE|MNEMONIC|URL|SOURCE/.test(name),
  )
  const covered = [...Object.keys(environment), ...placed, 'DATABASE_URL', 'PRICE_SOURCE', ...harmless]
  expect(suspicious.filter((name) => !covered.includes(name))).toEqual([])
})

/** Without PostgreSQL the run has no database password. */
const engine = testEngines().includes('postgresql') ? 'postgresql' : 'pglite'

test('behavior: no canary appears in the log or in an answer', async () => {
  await using database = await freshDatabase(engine)
  await using chain = await startNode()
  await using signer = await startQuotingSigner()
  await using prices = await startQuotingSource()
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
        {
          chainId: chain.chainId,
          name: 'Here',
          rpcUrls: [chain.rpcUrl],
          local: true,
          settlementToken: chain.settlementToken,
          smartBalance: chain.smartBalance,
          nativePrice: chain.nativePrice,
        },
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
    ...(await placeKeys(directory, signer.url)),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    NETWORKS_FILE: networksFile,
    PRICE_SOURCE: prices.url,
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

    // A user, a token, and a request that fails on the unreachable network.
    const owner = privateKeyToAccount(randomPrivateKey())
    const created = await post(
      '/smart-account/create',
      { eoaAddress: owner.address },
      { 'x-api-key': apiKey },
    )
    const walletAddress: string = created.body.wallet.scw_address
    const loginMessage = await post(
      '/login/message',
      { walletAddress, eoaAddress: owner.address },
      { 'x-api-key': apiKey },
    )
    const { message } = loginMessage.body
    const signature = await owner.signMessage({ message })
    const signedIn = await ask(`${service.url}/login/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ message, signature }),
    })
    const token: string = signedIn.body.token // the only answer that may contain a secret
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
    // The service pauses requests to a failing RPC. The next attempt throws an error with the RPC's URL.
    await expect
      .poll(
        async () => {
          await post('/smart-account/transaction/build', inputs[2], withKey)
          return service.output()
        },
        { interval: 300 },
      )
      .toContain('[hidden]')
    // A sponsored build needs the operator's signature, so it calls the signer.
    const sponsored = {
      walletAddress,
      network: String(chain.chainId),
      transactionDetails: [{ targetContractAddress: owner.address, value: '0', encodedData: '0x' }],
      paymasterData: 'sponsored',
    }
    for (const path of ['/smart-account/transaction/build', '/trpc/smartAccount.build']) {
      const { status, text } = await post(path, sponsored, withKey)
      expect([status, text]).toEqual([503, expect.stringContaining('SIGNER_UNAVAILABLE')])
    }
    expect(signer.quoted.length).toBeGreaterThanOrEqual(2)
    for (const request of signer.quoted) {
      expect(request).toContain(`/${signerPath}/api/v1/eth1/sign/`)
      expect(request).toContain(`Bearer ${signerToken}`)
    }

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
      readerPassword,
      priceKey,
      loginSecret,
      environment.IDENTITY_SECRETS,
      ...[auditPath, auditSecret, screeningPath, screeningSecret],
      ...environment.ATTESTOR_PRIVATE_KEYS.split(','),
      settlerKey,
      environment.KEYSTORE_PASSPHRASE,
      signerToken,
      signerPath,
      jwk.d,
      password,
      rpcKey,
      bundlerKey,
    ].filter((secret) => secret !== undefined)
    const output = service.output()
    // The log had a secret to hide: the error of the unreachable network contains its URL.
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
