/** @module-tag all */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { devAccounts } from '@lanyard/devnet'
import { type FakeKms, ids, startFakeKms } from '@lanyard/signers/fake-kms'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ConfigurationError } from '../../src/platform/environment/configuration-error.ts'
import { readEnv } from '../../src/platform/environment/env.ts'
import { openKeys } from '../../src/platform/keys/keys.ts'
import { type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'

const network = 31337

/** The public relayer key of local networks, in a key service in this test. */
const relayer = devAccounts.at(-1) ?? { address: '0x', privateKey: '0x' }

let kms: FakeKms
let service: OrderService
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'not-a-secret')
  kms = await startFakeKms(relayer.privateKey)
  service = await startOrderService({
    environment: {
      RELAYER_PRIVATE_KEYS: `aws-kms:${ids['aws-kms']}#${relayer.address}`,
      ...{ KMS_ENDPOINT: kms.url, SIGNER_TIMEOUT: '2', INCLUSION_TIMEOUT: '20' },
    },
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await kms[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
})

async function built() {
  const { owner, address } = await service.createWallet()
  await service.on(network).chain.setBalance({ address, value: parseEther('1') })
  const { status, body } = await service.build({
    network: String(network),
    walletAddress: address,
    transactionDetails: [{ targetContractAddress: payee, value: '1', encodedData: '0x' }],
  })
  expect({ status, body }).toMatchObject({ status: 200 })
  return { walletAddress: address, signature: await sign.personal(owner, body.messageToSign) }
}

test('default: a relayer whose key is in AWS KMS sends operations; the service never has the key', async () => {
  const before = kms.signed.length
  expect(await service.submit(await built())).toMatchObject({ status: 200, body: { success: true } })
  expect(kms.signed.length).toBe(before + 1)
})

test('behavior: while the key service is away, a submission waits, and it is sent once when it is back', async () => {
  let refused = 0
  kms.behave = () => {
    refused++
    return { status: 503, body: {} }
  }
  const waiting = service.submit(await built())
  await vi.waitFor(() => expect(refused).toBeGreaterThan(0), { timeout: 15_000 })
  const before = kms.signed.length
  kms.behave = () => undefined
  expect(await waiting).toMatchObject({ status: 200, body: { success: true } })
  expect(kms.signed.length).toBe(before + 1)
})

test('behavior: many keys are asked for at once, so that a start takes one time-out at most', async () => {
  const waiting: { readonly response: ServerResponse; readonly KeyId: string }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    // Nothing is answered before all have asked.
    waiting.push({ response, KeyId: JSON.parse(text).KeyId })
    if (waiting.length < 3) return
    const { publicKey } = privateKeyToAccount(generatePrivateKey())
    const spki = Buffer.from(`3056301006072a8648ce3d020106052b8104000a034200${publicKey.slice(2)}`, 'hex')
    for (const { response, KeyId } of waiting)
      response.end(JSON.stringify({ KeyId, PublicKey: spki.toString('base64') }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens
  const env = readEnv({
    RELAYER_PRIVATE_KEYS: [0, 1, 2].map((index) => `aws-kms:${keyOf(index)}`).join(),
    ...{ KMS_ENDPOINT: `http://127.0.0.1:${port}`, SIGNER_TIMEOUT: '5' },
  })
  expect((await openKeys(env)).accounts.RELAYER_PRIVATE_KEYS).toHaveLength(3)
})

const keyOf = (index: number) => ids['aws-kms'].replace(/.$/, String(index))

test('error: a key that is named without its address, while the service is away, stops the start with the way out', async () => {
  kms.behave = () => ({ status: 503, body: {} })
  const opening = openKeys(
    readEnv({
      RELAYER_PRIVATE_KEYS: `aws-kms:${ids['aws-kms']}`,
      KMS_ENDPOINT: kms.url,
      SIGNER_TIMEOUT: '2',
    }),
  )
  await expect(opening).rejects.toThrow(ConfigurationError)
  await expect(opening).rejects.toThrow('With #<address> behind it')
})
