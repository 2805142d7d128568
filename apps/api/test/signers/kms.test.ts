/** @module-tag all */

import { devAccounts } from '@lanyard/devnet'
import { type FakeKms, ids, startFakeKms } from '@lanyard/signers/fake-kms'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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
    engine: 'pglite',
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
