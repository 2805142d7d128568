/** @module-tag all */
import { computeAccountAddress } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { createTestClient, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpService, postJson, startHttpService } from '../http-service.ts'

/** Bytes of call data, and of the row that holds it as hex. */
const callData = 30_000
const rowBytes = 2 * callData + 2 + 2_560

/** Bytes that the builds of an address may take. Half of it is refilled slowly. */
const quota = 8 * rowBytes

let service: HttpService
let wallet: string
beforeAll(async () => {
  service = await startHttpService({ RATE_LIMIT_BUILD_BYTES: String(quota), TRUST_PROXY: '1' })
  const owner = privateKeyToAccount(randomPrivateKey())
  wallet = computeAccountAddress({ kind: 'eoa', address: owner.address })
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(service.node.rpcUrl) })
  await chain.setBalance({ address: wallet as `0x${string}`, value: parseEther('10') })
  await postJson(service.url + endpoints.smartAccount.create.path, { eoaAddress: owner.address })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const build = (address: string, bytes = callData) =>
  postJson(
    service.url + endpoints.smartAccount.build.path,
    {
      network: String(service.node.chainId),
      walletAddress: wallet,
      transactionDetails: [
        { targetContractAddress: `0x${'77'.repeat(20)}`, value: '0', encodedData: `0x${'ab'.repeat(bytes)}` },
      ],
    },
    { 'x-forwarded-for': address },
  )

async function untilRejected(address: () => string) {
  for (let built = 0; built < 40; built++) {
    const answer = await build(address())
    if (answer.status === 429) return { built, answer }
    expect(answer.status, answer.text).toBe(200)
  }
  throw new Error('never refused')
}

test('error: RATE_LIMITED when the unsigned builds of an address take its space; it says when some is free', async () => {
  const { built, answer } = await untilRejected(() => '203.0.113.1')
  expect(built).toBe(4)
  expect(answer.body).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
  expect((await build('198.51.100.1')).status).toBe(200)
})

test('error: RATE_LIMITED when the addresses of one network take the space of four', async () => {
  let last = 0
  const { built } = await untilRejected(() => `192.0.2.${++last}`)
  expect(built).toBe(16)
})

test('behavior: a build that fails takes no space', async () => {
  for (let failed = 0; failed < 10; failed++) {
    const { status } = await postJson(
      service.url + endpoints.smartAccount.build.path,
      {
        network: String(service.node.chainId),
        walletAddress: wallet,
        transactionDetails: [
          {
            targetContractAddress: wallet,
            value: String(10n ** 30n),
            encodedData: `0x${'ab'.repeat(callData)}`,
          },
        ],
      },
      { 'x-forwarded-for': '203.0.114.1' },
    )
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).not.toBe(429)
  }
  expect((await build('203.0.114.1')).status).toBe(200)
})
