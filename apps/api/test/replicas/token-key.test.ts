/** @module-tag all */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { Webhook } from 'standardwebhooks'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deriveWalletKey } from '../../src/domain/accounts/api-keys/wallet-key.ts'
import { openSigningKeys } from '../../src/domain/accounts/tokens/signing-key.ts'
import { runInProcess } from '../cli/run-in-process.ts'
import { orderChains, payee } from '../orders/order-chains.ts'
import { restClient } from '../rest.ts'
import { startConfigured } from '../start-configured.ts'

const network = 31337
const origin = 'http://localhost:3000'
const apiKey = 'a-secret-of-32-characters-xxxxxx'
const makeKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
type Jwk = ReturnType<typeof makeKey>

/** A service at one address, which starts again with other keys. */
interface Replica {
  readonly url: string
  roll(keys: Record<string, string>): Promise<void>
}

async function startReplica(env: Record<string, string>): Promise<Replica> {
  let current = await startConfigured(env)
  stack.defer(() => current.stop())
  const { url } = current
  const PORT = new URL(url).port
  return {
    url,
    async roll(keys) {
      await current.stop()
      current = await startConfigured({ ...env, PORT, ...keys })
    },
  }
}

const stack = new AsyncDisposableStack()
const owner = privateKeyToAccount(randomPrivateKey())
const [former, next] = [makeKey(), makeKey()]
/** As the service reads TOKEN_KEY. */
const keysOf = (...keys: Jwk[]) => ({ TOKEN_KEY: JSON.stringify(keys) })

let databaseUrl: string
let first: Replica
let second: Replica
let worker: Replica
let walletAddress: string
let secret: string
/** Hashes of the operations that the receiver was told, each with a signature that it accepts. */
const delivered = new Set<string>()
const forged: unknown[] = []

const asServer = (replica: Replica) => restClient(replica.url, { 'x-api-key': apiKey })
/** As a user does, in a page that one of the replicas served. A secret key would give access without the token. */
const ofUser = (page: string, token: string) => ({
  'x-api-key': page,
  origin,
  authorization: `Bearer ${token}`,
})
/** Only the user may read them. */
const readPasskeys = (replica: Replica, page: string, token: string) =>
  restClient(replica.url, ofUser(page, token)).get('/v3/webauthn/credentials')

/** Docs: keys.md, "Replacing the token key". Each restart is checked while the other replica is a step behind. */
describe.skipIf(!testEngines().includes('postgresql'))('replacing TOKEN_KEY under two replicas', () => {
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-token-key-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const devnet = stack.use(await startDevnet({ chainIds: [network] }))
    const database = stack.use(await freshDatabase('postgresql'))
    databaseUrl = database.url ?? ''
    const networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, devnet.networks)
    const start = (ROLES: string) =>
      startReplica({
        ...{ NETWORKS_FILE: networksFile, DATABASE_URL: databaseUrl, ORIGINS: origin, ROLES },
        ...{ API_KEYS: `server:${apiKey}`, ...keysOf(former) },
      })
    ;[first, second, worker] = await Promise.all([
      start('api'),
      start('api'),
      start('worker,attestor,settler,topUp'),
    ])
    const receiver = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      try {
        const event = new Webhook(secret).verify(body, request.headers as Record<string, string>)
        delivered.add((event as { data: { userOpHash: string } }).data.userOpHash)
      } catch (error) {
        forged.push(error)
      }
      response.end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    stack.defer(() => void receiver.close())
    const { port } = receiver.address() as AddressInfo
    const hook = `http://127.0.0.1:${port}`
    secret = (await webhooks([former], 'add', hook, '--key', 'server', '--type', 'operation.included')).secret
    const created = await asServer(first).post('/smart-account/create', { eoaAddress: owner.address })
    walletAddress = created.body.wallet.scw_address
    const { chain } = orderChains(devnet).on(network)
    await chain.setBalance({ address: owner.address, value: parseEther('1') })
    await chain.setBalance({ address: created.body.wallet.scw_address, value: parseEther('1000') })
  })
  afterAll(() => stack.disposeAsync())

  test('behavior: no step fails a user, a stream or a webhook', async () => {
    const page = await pageKey(former)
    const token = await signIn(first, second)
    const stream = listen(() => [first, second], page, token)
    await stream.opened()
    const told: string[] = []
    const check = async () => {
      await everyTokenWorks(page, token)
      await everyPageWorks(page)
      told.push(await operate(first), await operate(second))
      for (const hash of told.slice(-2)) {
        await until(() => delivered.has(hash))
        await until(() => stream.hashes.includes(hash))
      }
    }
    await check()
    for (const keys of [keysOf(former, next), keysOf(next, former)]) {
      for (const replica of [first, second, worker]) {
        await replica.roll(keys)
        await check()
      }
    }

    expect(await webhooks([next, former], 'reencrypt')).toMatchObject({
      reencrypted: [expect.any(String)],
      unreadable: [],
    })
    await check()

    // The tokens of a day ago have expired: whoever comes has one of the new key.
    const newToken = await signIn(second, first)
    const newPage = await pageKey(next)
    stream.continueWith(newPage, newToken)
    for (const replica of [first, second, worker]) {
      await replica.roll(keysOf(next))
      await everyTokenWorks(newPage, newToken)
      await everyPageWorks(newPage)
      told.push(await operate(first), await operate(second))
      await until(() => told.every((hash) => delivered.has(hash) && stream.hashes.includes(hash)))
    }
    for (const [oldPage, oldToken] of [
      [newPage, token],
      [page, newToken],
    ] as const) {
      expect(await readPasskeys(first, oldPage, oldToken)).toMatchObject({ status: 401 })
    }
    await stream.end()
    expect(stream.hashes.toSorted()).toEqual(told.toSorted())
    expect(forged).toEqual([])
  })
})

async function everyTokenWorks(page: string, earlier: string): Promise<void> {
  const tokens = [earlier, await signIn(first, second), await signIn(second, first)]
  for (const replica of [first, second]) {
    for (const token of tokens) {
      expect(await readPasskeys(replica, page, token)).toMatchObject({ status: 200 })
    }
  }
}

/** A page that one replica served calls the other one with the key in it. */
async function everyPageWorks(page: string): Promise<void> {
  for (const { url } of [first, second]) {
    const rest = restClient(url, { 'x-api-key': page, origin })
    expect(await rest.post('/login/message', { walletAddress, eoaAddress: owner.address })).toMatchObject({
      status: 200,
    })
  }
}

async function pageKey(key: Jwk): Promise<string> {
  const [signing] = await openSigningKeys({} as never, [key]) // a configured key needs no database
  return (await deriveWalletKey(signing, [origin])).text
}

/** Begins at one replica and finishes at another. @returns the token */
async function signIn(begins: Replica, finishes: Replica): Promise<string> {
  const login = { walletAddress, eoaAddress: owner.address }
  const { message } = (await asServer(begins).post('/login/message', login)).body
  const signature = await owner.signMessage({ message })
  const { status, body } = await asServer(finishes).post('/login/verify', { message, signature })
  expect(status).toBe(200)
  return body.token
}

/** @returns the hash of the included operation */
async function operate(replica: Replica): Promise<string> {
  const build = await asServer(replica).post('/smart-account/transaction/build', {
    ...{ network: String(network), walletAddress },
    transactionDetails: [{ targetContractAddress: payee, value: '0', encodedData: '0x' }],
  })
  const submission = await asServer(replica).post('/smart-account/transaction/submit', {
    walletAddress,
    signature: await owner.signMessage({ message: { raw: build.body.messageToSign } }),
  })
  expect(submission).toMatchObject({ status: 200 })
  return submission.body.userOpHash
}

async function webhooks(keys: readonly Jwk[], ...args: string[]) {
  const env = { DATABASE_URL: databaseUrl, ...keysOf(...keys) }
  const { code, stderr, json } = await runInProcess({ env }, 'webhooks', ...args, '--json')
  expect(code, stderr).toBe(0)
  return json()
}

/** Listens as a client does: it connects again where it left off, at the next replica, when a stream ends. */
function listen(replicas: () => readonly Replica[], firstPage: string, firstToken: string) {
  const hashes: string[] = []
  let headers = ofUser(firstPage, firstToken)
  let lastEventId: string | undefined
  let connection = new AbortController()
  let isOpen = false
  let isEnded = false
  const running = run()

  async function run(): Promise<void> {
    for (let turn = 0; !isEnded; turn++) {
      const replica = replicas()[turn % 2]
      connection = new AbortController()
      try {
        const response = await fetch(`${replica?.url}/events?walletAddress=${walletAddress}`, {
          signal: connection.signal,
          headers: {
            ...headers,
            ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
          },
        })
        if (response.status === 401) throw new Error('The stream was refused.')
        isOpen = true
        let text = ''
        for await (const chunk of response.body ?? []) {
          text += Buffer.from(chunk).toString()
          const messages = text.split('\n\n')
          text = messages.pop() ?? ''
          for (const message of messages) read(message)
        }
      } catch (error) {
        if (error instanceof Error && error.message === 'The stream was refused.') throw error
        await delay(50) // the replica restarts
      }
    }
  }

  function read(message: string): void {
    const [, id] = /^id: (.*)$/m.exec(message) ?? []
    const [, data] = /^data: (.*)$/m.exec(message) ?? []
    if (id !== undefined) lastEventId = id
    if (!/^event: operation\.included$/m.test(message) || data === undefined) return
    hashes.push((JSON.parse(data) as { data: { userOpHash: string } }).data.userOpHash)
  }

  return {
    hashes,
    /** A new stream starts with the next event, so what comes before it is missed. */
    opened: () => until(() => isOpen),
    continueWith(page: string, token: string) {
      headers = ofUser(page, token)
      connection.abort()
    },
    async end() {
      isEnded = true
      connection.abort()
      await running
    },
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(50)
}
