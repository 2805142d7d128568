import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomPrivateKey } from '@lanyard/testing'
import {
  type Hex,
  keccak256,
  numberToHex,
  parseSignature,
  type TransactionSerializable,
  type TypedDataDefinition,
} from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type FakeSigner, publicKeyOf, startFakeSigner } from '../../fake-signer/server.ts'
import { openSigner } from '../open-signer.ts'
import { createRemoteSigner, type RemoteSignerSettings } from './remote-signer.ts'

const privateKey = randomPrivateKey()
const local = privateKeyToAccount(privateKey)
const { address } = local
const byAddress = { kind: 'remote', address } as const
const byPublicKey = { kind: 'remote', address, publicKey: publicKeyOf(privateKey) } as const

let fakeSigner: FakeSigner
beforeAll(async () => {
  fakeSigner = await startFakeSigner({ keys: [randomPrivateKey(), privateKey] })
})
afterAll(() => fakeSigner.close())

const open = (settings: Partial<RemoteSignerSettings> = {}, source: typeof byAddress = byAddress) =>
  openSigner(source, { remote: createRemoteSigner({ url: fakeSigner.url, timeout: 30_000, ...settings }) })

const transaction: TransactionSerializable = {
  type: 'eip1559',
  chainId: 8453,
  nonce: 7,
  to: '0x000000000000000000000000000000000000bEEF',
  data: '0x1234',
  gas: 50_000n,
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 1n,
}

const typedData = {
  domain: { name: 'SmartBalance', version: '1', chainId: 1, verifyingContract: address },
  types: {
    Order: [
      { name: 'account', type: 'address' },
      { name: 'parts', type: 'Part[]' },
    ],
    Part: [{ name: 'amount', type: 'uint128' }],
  },
  primaryType: 'Order',
  message: { account: address, parts: [{ amount: 5n }, { amount: 6n }] },
} as const satisfies TypedDataDefinition

test.each([
  ['its address', byAddress],
  ['its public key', byPublicKey],
])('default: a key named by %s gives the same signatures as the key itself', async (_name, source) => {
  const remote = await open({}, source)
  expect(remote.address).toBe(address)
  expect(await remote.signTransaction(transaction)).toBe(await local.signTransaction(transaction))
  expect(await remote.signTypedData(typedData)).toBe(await local.signTypedData(typedData))
  expect(await remote.signMessage({ message: 'a message' })).toBe(
    await local.signMessage({ message: 'a message' }),
  )
})

test('behavior: the signer receives the data to sign, not only a hash', async () => {
  const seen: Hex[] = []
  await using looking = await startFakeSigner({
    keys: [privateKey],
    beforeSigning: ({ data }) => void seen.push(data),
  })
  const remote = await open({ url: looking.url }, byPublicKey)
  const raw = await remote.signTransaction(transaction)
  await remote.signTypedData(typedData)
  expect(seen[0]?.slice(0, 4)).toBe('0x02')
  expect(raw).toContain(seen[0]?.slice(6, 40)) // both contain chain id, nonce and fees
  expect(seen[1]?.slice(0, 6)).toBe('0x1901')
})

/** A signer whose responses the test defines. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Signs the data in the request. */
const answerWith = (make: (hash: Hex) => Promise<string>) =>
  serve(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    response.end(await make(keccak256(JSON.parse(text).data)))
  })

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

test.each([
  [
    's in the upper half of the curve order',
    (r: Hex, s: Hex) => r + numberToHex(curveOrder - BigInt(s), { size: 32 }).slice(2),
  ],
  ['no v', (r: Hex, s: Hex) => r + s.slice(2)],
  ['a wrong v', (r: Hex, s: Hex) => `${r}${s.slice(2)}00`],
  ['quotes around it', (r: Hex, s: Hex) => `"${r}${s.slice(2)}1b"\n`],
])('behavior: a signature with %s is normalised', async (_name, change) => {
  const url = await answerWith(async (hash) => {
    const { r, s } = await sign({ hash, privateKey })
    return change(r, s)
  })
  const remote = await open({ url }, byPublicKey)
  expect(await remote.signTransaction(transaction)).toBe(await local.signTransaction(transaction))
})

test.each([
  ["another key's signature", (hash: Hex) => sign({ hash, privateKey: randomPrivateKey(), to: 'hex' })],
  ['a signature over something else', () => sign({ hash: keccak256('0x00'), privateKey, to: 'hex' })],
  ['a signature of zeros', async () => `0x${'00'.repeat(65)}`],
  ['an s above the curve order', async () => `0x${'11'.repeat(32)}${'ff'.repeat(32)}`],
  ['missing bytes', async () => '0x1234'],
  ['words', async () => 'signed!'],
])('error: SIGNER_FAILED for %s', async (_name, answer) => {
  const remote = await open({ url: await answerWith(answer) }, byPublicKey)
  await expect(remote.signTypedData(typedData)).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
})

test('error: SIGNER_FAILED for a key that the signer does not have', async () => {
  const source = { kind: 'remote', address: privateKeyToAccount(randomPrivateKey()).address } as const
  const remote = await open({}, source)
  await expect(remote.signMessage({ message: 'x' })).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
})

test.each([
  [400, 'SIGNER_FAILED'],
  [403, 'SIGNER_FAILED'],
  [429, 'SIGNER_UNAVAILABLE'],
  [500, 'SIGNER_UNAVAILABLE'],
  [503, 'SIGNER_UNAVAILABLE'],
])('error: a signer answers %i: %s', async (status, code) => {
  const url = await serve((_request, response) => void response.writeHead(status).end('no'))
  const remote = await open({ url }, byPublicKey)
  await expect(remote.signMessage({ message: 'x' })).rejects.toMatchObject({ code })
})

test('error: SIGNER_UNAVAILABLE for a signer that does not listen, and one that never answers', async () => {
  const gone = await open({ url: 'http://127.0.0.1:9' }, byPublicKey)
  await expect(gone.signMessage({ message: 'x' })).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
  const silent = await open({ url: await serve(() => {}), timeout: 300 }, byPublicKey)
  await expect(silent.signMessage({ message: 'x' })).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
})

test('behavior: many requests waiting for one key do not block other keys', async () => {
  const otherKey = randomPrivateKey()
  const other = privateKeyToAccount(otherKey)
  const hanging = Promise.withResolvers<void>()
  let waiting = 0
  await using busy = await startFakeSigner({
    keys: [privateKey, otherKey],
    async beforeSigning({ publicKey }) {
      if (publicKey !== byPublicKey.publicKey) return
      waiting++
      await hanging.promise
    },
  })
  const remote = createRemoteSigner({ url: busy.url, timeout: 60_000 })
  const first = await openSigner(byPublicKey, { remote })
  const publicKey = publicKeyOf(otherKey)
  const second = await openSigner({ kind: 'remote', address: other.address, publicKey }, { remote })
  const many = Array.from({ length: 40 }, (_, index) => first.signMessage({ message: String(index) }))
  await expect.poll(() => waiting).toBeGreaterThan(0)
  expect(await second.signMessage({ message: 'x' })).toBe(await other.signMessage({ message: 'x' }))
  expect(waiting).toBeLessThan(40)
  hanging.resolve()
  expect(await Promise.all(many)).toHaveLength(40)
})

test('behavior: retries after a broken connection or a busy signer', async () => {
  let requested = 0
  const url = await answerWith(async (hash) => sign({ hash, privateKey, to: 'hex' }))
  const breaking = await serve((request, response) => {
    requested++
    if (requested === 1) return void request.socket.destroy()
    if (requested === 3) return void response.writeHead(503).end()
    response.writeHead(307, { Location: url }).end()
  })
  const remote = await open({ url: breaking }, byPublicKey)
  // A redirect is rejected: the source of signatures is configuration.
  await expect(remote.signMessage({ message: 'x' })).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
  expect(requested).toBe(2)
  await expect(remote.signMessage({ message: 'x' })).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
  expect(requested).toBe(4)
})

test('args: token', async () => {
  await using guarded = await startFakeSigner({ keys: [privateKey], token: 'let-me-sign' })
  const thirdParty = await open({ url: guarded.url }, byPublicKey)
  await expect(thirdParty.signMessage({ message: 'x' })).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
  const known = await open({ url: guarded.url, token: 'let-me-sign' })
  expect(await known.signMessage({ message: 'x' })).toBe(await local.signMessage({ message: 'x' }))
})

const pem = (name: string) => readFile(new URL(`../../test/tls/${name}`, import.meta.url), 'utf8')

test('args: tls; each side knows the other by its certificate', async () => {
  const ca = await pem('ca.pem')
  await using guarded = await startFakeSigner({
    keys: [privateKey],
    tls: { cert: await pem('server.pem'), key: await pem('server.key'), ca },
  })
  const { url } = guarded
  const known = await open({ url, tls: { ca, cert: await pem('client.pem'), key: await pem('client.key') } })
  expect(await known.signMessage({ message: 'x' })).toBe(await local.signMessage({ message: 'x' }))
  const thirdParties = [{ ca }, { cert: await pem('client.pem'), key: await pem('client.key') }]
  for (const tls of thirdParties) {
    const thirdParty = await open({ url, tls })
    await expect(thirdParty.signMessage({ message: 'x' })).rejects.toMatchObject({
      code: 'SIGNER_UNAVAILABLE',
    })
  }
})

test('behavior: r and s have 32 bytes', async () => {
  const remote = await open()
  const { r, s } = parseSignature(await remote.signMessage({ message: 'x' }))
  expect([r, s].map((part) => part.length)).toEqual([66, 66])
})
