import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { randomPrivateKey } from '@lanyard/testing'
import type { TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type FakeKms, ids, startFakeKms } from '../../fake-kms/server.ts'
import { parseKeySource, publishedAddress } from '../key-source.ts'
import { openSigner } from '../open-signer.ts'
import { crc32c } from './crc32c.ts'
import { fromDer } from './der.ts'
import { createKmsOpener } from './kms.ts'
import { isKmsKey, type KmsService } from './kms-key.ts'

const privateKey = randomPrivateKey()
const local = privateKeyToAccount(privateKey)
const kinds = Object.keys(ids) as KmsService[]

let fake: FakeKms
beforeAll(async () => {
  fake = await startFakeKms(privateKey)
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'not-a-secret')
  // The metadata server of a machine, which gives its service account's tokens.
  vi.stubEnv('GCE_METADATA_HOST', new URL(fake.url).host)
  vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present')
  // The managed identity of App Service.
  vi.stubEnv('IDENTITY_ENDPOINT', `${fake.url}/msi/token`)
  vi.stubEnv('IDENTITY_HEADER', 'header')
})
beforeEach(() => {
  fake.behave = () => undefined
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await fake[Symbol.asyncDispose]()
})

async function open(kind: KmsService, { timeout = 30_000, named = true } = {}) {
  const source = parseKeySource(`${kind}:${ids[kind]}${named ? `#${local.address}` : ''}`)
  if (!source || !isKmsKey(source)) throw new Error('no key source')
  return openSigner(source, { kms: createKmsOpener({ timeout, endpoint: fake.url }) })
}

const transaction: TransactionSerializable = {
  ...{ type: 'eip1559', chainId: 8453, nonce: 7, gas: 50_000n, maxFeePerGas: 10n, maxPriorityFeePerGas: 1n },
  to: '0x000000000000000000000000000000000000bEEF',
}

describe.each(kinds)('%s', (kind) => {
  test('default: the same signatures as the key itself, low s and the right parity', async () => {
    const account = await open(kind)
    for (let nonce = 0; nonce < 8; nonce++) {
      const one = { ...transaction, nonce }
      expect(await account.signTransaction(one)).toBe(await local.signTransaction(one))
    }
    expect(await account.signMessage({ message: 'a' })).toBe(await local.signMessage({ message: 'a' }))
  })

  test('behavior: a key without its address in the configuration is asked for its public key', async () => {
    expect((await open(kind, { named: false })).address).toBe(local.address)
  })

  test('behavior: a key with its address opens while the service is away', async () => {
    fake.behave = () => 'hang'
    expect((await open(kind)).address).toBe(local.address)
  })

  test('error: SIGNER_FAILED for a signature of another key', async () => {
    await using other = await startFakeKms(randomPrivateKey())
    const source = parseKeySource(`${kind}:${ids[kind]}#${local.address}`)
    if (!source) throw new Error('no key source')
    const kms = createKmsOpener({ timeout: 30_000, endpoint: other.url })
    const account = await openSigner(source, { kms })
    await expect(account.signTransaction(transaction)).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
  })

  test('error: SIGNER_FAILED if the service refuses, and the answer is not asked for again', async () => {
    let requests = 0
    fake.behave = () => {
      requests++
      return { status: 403, body: { __type: 'AccessDeniedException', error: {} } }
    }
    const account = await open(kind)
    await expect(account.signTransaction(transaction)).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
    expect(requests).toBe(1)
  })

  test('error: SIGNER_UNAVAILABLE if it is busy, after one more attempt', async () => {
    let requests = 0
    fake.behave = () => {
      requests++
      return { status: kind === 'aws-kms' ? 400 : 429, body: { __type: 'ThrottlingException' } }
    }
    const account = await open(kind)
    await expect(account.signTransaction(transaction)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
    expect(requests).toBe(2)
  })

  test('error: SIGNER_UNAVAILABLE if it does not answer in time', async () => {
    fake.behave = () => 'hang'
    const account = await open(kind, { timeout: 300 })
    await expect(account.signTransaction(transaction)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
  })

  test('error: SIGNER_FAILED for an answer that is no signature', async () => {
    fake.behave = () => ({ status: 200, body: {} })
    const account = await open(kind)
    await expect(account.signTransaction(transaction)).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
  })

  test('error: SIGNER_FAILED for a public key that is no point of the curve, and for one of another key', async () => {
    for (const change of [{ point: offCurve }, { id: otherIds[kind] }]) {
      await using lying = await startFakeKms(privateKey, change)
      const source = parseKeySource(`${kind}:${ids[kind]}`)
      if (!source) throw new Error('no key source')
      const kms = createKmsOpener({ timeout: 30_000, endpoint: lying.url })
      await expect(openSigner(source, { kms })).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
    }
  })
})

/** x and y that do not satisfy the equation of the curve. */
const offCurve = `0x04${'11'.repeat(64)}` as const

const otherIds = {
  'aws-kms': ids['aws-kms'].replace('1234abcd', '4321abcd'),
  'gcp-kms': ids['gcp-kms'].replace(/1$/, '2'),
  'azure-kv': ids['azure-kv'].replace('78dee', '87dee'),
}

/** Listens on loopback until the test ends. @returns its address, and the answers that are not finished */
async function serve(answer: (response: ServerResponse) => void) {
  const open = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { open, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } // it listens
}

describe.each(['gcp-kms', 'azure-kv'] as const)('%s by HTTP', (kind) => {
  const openAt = async (url: string, timeout: number) => {
    const source = parseKeySource(`${kind}:${ids[kind]}#${local.address}`)
    if (!source) throw new Error('no key source')
    return openSigner(source, { kms: createKmsOpener({ timeout, endpoint: url }) })
  }

  test('error: SIGNER_FAILED for an answer that does not end, long before the time-out', async () => {
    const { url } = await serve((response) => {
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(65_536)));
        response.once('drain', more)
      }
      more()
    })
    // The test itself ends before the time-out.
    const account = await openAt(url, 600_000)
    await expect(account.signTransaction(transaction)).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
  })

  test('error: SIGNER_FAILED for a redirect, which gets no token', async () => {
    let [redirected, reached] = [0, 0]
    const target = await serve((response) => {
      reached++
      response.end('{}')
    })
    const { url } = await serve((response) => {
      redirected++
      response.writeHead(307, { Location: target.url }).end()
    })
    const account = await openAt(url, 30_000)
    await expect(account.signTransaction(transaction)).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
    expect([redirected, reached]).toEqual([1, 0])
  })
})

test('error: SIGNER_UNAVAILABLE while credentials of AWS are waited for', async () => {
  const credentials = await serve(() => {})
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined)
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', credentials.url)
  onTestFinished(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'not-a-secret')
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', undefined)
  })
  const account = await open('aws-kms', { timeout: 200 })
  await expect(account.signTransaction(transaction)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
  // The library still waits: its own time-outs are longer. On a busy machine it asks only after ours has ended.
  await vi.waitFor(() => expect(credentials.open.size).toBe(1), { timeout: 30_000 })
})

test('error: what fails to get a token is not in the error: the request has a token of its own', async () => {
  const subject = 'a-token-of-the-pod'
  const { url } = await serve((response) => response.writeHead(400).end('{"error":"invalid_grant"}'))
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-kms-'))
  await writeFile(join(folder, 'subject'), subject)
  const credentials = {
    ...{ type: 'external_account', token_url: url, credential_source: { file: join(folder, 'subject') } },
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  }
  await writeFile(join(folder, 'credentials.json'), JSON.stringify(credentials))
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(folder, 'credentials.json'))
  onTestFinished(async () => {
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', undefined)
    await rm(folder, { recursive: true })
  })
  const account = await open('gcp-kms')
  const failed = account.signTransaction(transaction)
  await expect(failed).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
  const text = inspect(await failed.catch((error: unknown) => error), { depth: 20 })
  expect(text).toContain('invalid_grant')
  expect(text).not.toContain(subject)
})

test('error: one endpoint does not serve two services: the token of one is not sent to the other', async () => {
  const kms = createKmsOpener({ timeout: 30_000, endpoint: fake.url })
  await kms('gcp-kms')
  await expect(kms('azure-kv')).rejects.toThrow('KMS_ENDPOINT')
})

test('behavior: the name of an Azure vault is the same in any case', async () => {
  const source = parseKeySource(`azure-kv:${ids['azure-kv'].replace('lanyard', 'Lanyard')}`)
  if (!source) throw new Error('no key source')
  const kms = createKmsOpener({ timeout: 30_000, endpoint: fake.url })
  expect((await openSigner(source, { kms })).address).toBe(local.address)
})

test('error: SIGNER_FAILED if Cloud KMS says that the digest arrived damaged', async () => {
  const damaged = {
    signature: 'MAYCAQECAQE=',
    signatureCrc32c: '1',
    verifiedDigestCrc32c: false,
    name: ids['gcp-kms'],
  }
  fake.behave = () => ({ status: 200, body: damaged })
  const account = await open('gcp-kms')
  await expect(account.signTransaction(transaction)).rejects.toMatchObject({ code: 'SIGNER_FAILED' })
})

test.each(kinds)('args: %s:<key>, with and without #<address>', (kind) => {
  const text = `${kind}:${ids[kind]}`
  expect(parseKeySource(text)).toEqual({ kind, id: ids[kind] })
  const named = parseKeySource(`${text}#${local.address.toLowerCase()}`)
  expect(named).toEqual({ kind, id: ids[kind], address: local.address })
  expect(named && publishedAddress(named)).toBe(local.address)
})

test.each([
  'aws-kms:alias/operator',
  'aws-kms:',
  `gcp-kms:${ids['gcp-kms'].replace('/cryptoKeyVersions/1', '')}`,
  `azure-kv:${ids['azure-kv'].replace('https', 'http')}`,
  'azure-kv:https://lanyard.vault.azure.net/keys/relayer',
  // Its token would be sent to a host that anyone may have.
  `azure-kv:${ids['azure-kv'].replace('vault.azure.net', 'vault.azure.net.example')}`,
  `azure-kv:${ids['azure-kv'].replace('lanyard.', '')}`,
  `gcp-kms:${ids['gcp-kms'].replace('projects/lanyard', 'projects/..')}`,
  `aws-kms:${ids['aws-kms']}#0x12`,
])('error: %j is not a key source', (text) => {
  expect(parseKeySource(text)).toBeUndefined()
})

test.each([
  ['empty', ''],
  ['another tag', '310602010102010100'],
  ['a length that does not fit', '300702010102010100'],
  ['a negative number', '3006020181020101'],
  ['34 bytes', `3027${'02220000'}${'01'.repeat(32)}020101`],
])('error: %s is no signature in DER', (_what, der) => {
  expect(fromDer(Buffer.from(der, 'hex'))).toBeUndefined()
})

test('default: CRC-32C of the test vectors of RFC 3720 §B.4', () => {
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa)
  expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43)
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, index) => index))).toBe(0x46dd794e)
})
