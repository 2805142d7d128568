/** @module-tag all */
// @promise 24 B.13

import { randomPrivateKey, reportFigure } from '@lanyard/testing'
import { type Hex, keccak256, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PublishableService, startPublishableService, type Visitor } from './publishable-service.ts'

const limit = 40

let service: PublishableService
beforeAll(async () => {
  service = await startPublishableService({ RATE_LIMITS: 'on', RATE_LIMIT_BUILDS: String(limit) })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const attacker = privateKeyToAccount(randomPrivateKey())
const wrongSignature = (seed: number) => attacker.sign({ hash: keccak256(numberToHex(seed)) })

/** Builds for a wallet from the given number of addresses, one build each. */
async function buildFromMany(walletAddress: string, addresses: number, prefix: string) {
  const built = await Promise.all(
    Array.from({ length: addresses }, (_, index) =>
      service.from(`${prefix}.${index + 1}`).build(walletAddress, index + 1),
    ),
  )
  expect(built.map(({ status }) => status)).toEqual(Array(addresses).fill(200))
}

/** The remaining builds, according to the header of the answer. */
const remaining = (answer: Awaited<ReturnType<Visitor['submit']>>) =>
  Number(/"builds";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])

describe('wrong signatures', () => {
  test('behavior: each wrong signature costs its sender one build per comparison', async () => {
    const { address } = await service.createWallet()
    await buildFromMany(address, 10, '198.51.100')
    const sender = service.from('192.0.2.1')
    const submit = async (seed: number) =>
      sender.submit({ walletAddress: address, signature: await wrongSignature(seed) })
    const first = await submit(0)
    expect(first).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } })
    expect(remaining(first)).toBe(limit - 1)
    const statuses: number[] = []
    for (let seed = 1; seed <= 4; seed++) statuses.push((await submit(seed)).status)
    // Each signature costs ten comparisons, so four use up the limit.
    expect(statuses).toEqual([400, 400, 400, 429])
    expect((await service.from('192.0.2.2').build(address, 1)).status).toBe(200)
  })

  test('behavior: concurrent wrong signatures exceed the limit by at most one request', async () => {
    const { address } = await service.createWallet()
    await buildFromMany(address, 10, '198.51.100')
    const sender = service.from('192.0.2.3')
    const answers = await Promise.all(
      Array.from({ length: limit }, async (_, seed) =>
        sender.submit({ walletAddress: address, signature: await wrongSignature(seed) }),
      ),
    )
    const compared = answers.filter(({ body }) => body.code === 'INVALID_SIGNATURE').length
    const rejected = answers.filter(({ body }) => body.code === 'RATE_LIMITED').length
    expect(compared + rejected).toBe(limit)
    expect(compared * 10).toBeLessThanOrEqual(limit + 10)
    reportFigure(24, 'comparisons for one sender of wrong signatures, of 400 requested', compared * 10)
  })

  test('behavior: a submission with userOpHash costs one comparison for any number of builds', async () => {
    const { owner, address } = await service.createWallet()
    await buildFromMany(address, 10, '198.51.100')
    const visitor = service.from('192.0.2.4')
    const { body } = await service.from('192.0.2.5').build(address, 99)
    const status = await visitor.submit({
      walletAddress: address,
      userOpHash: `0x${'00'.repeat(32)}`,
      signature: await wrongSignature(1),
    })
    expect(status).toMatchObject({ status: 404, body: { code: 'UNKNOWN_OPERATION' } })
    // A valid signature alone, from another address, finds the build among all others and costs nothing.
    const signature: Hex = await owner.signMessage({ message: { raw: body.messageToSign } })
    const submitted = await visitor.submit({ walletAddress: address, signature })
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
    expect(remaining(await visitor.build(address, 1))).toBe(limit - 3)
  })

  test('behavior: the build of an owner is found among more builds than the limit allows to compare', async () => {
    const { owner, address } = await service.createWallet()
    await buildFromMany(address, 21, '198.51.100')
    await buildFromMany(address, 21, '203.0.113')
    const { body } = await service.from('192.0.2.6').build(address, 99)
    const signature: Hex = await owner.signMessage({ message: { raw: body.messageToSign } })
    const otherAddress = service.from('192.0.2.7')
    expect(await otherAddress.submit({ walletAddress: address, signature })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await otherAddress.build(address, 1)).status).toBe(200)
  })
})
