/** @module-tag all */
// @promise 24 B.12

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxLiveBuilds } from '../../src/domain/operations/prepare/reserve-nonce.ts'
import { createDelegatedAccount, newKey } from '../eip7702/delegated-account.ts'
import { attackByBuilds } from './external-builds.ts'
import { type PublishableService, startPublishableService } from './publishable-service.ts'

let service: PublishableService
beforeAll(async () => {
  service = await startPublishableService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

describe('builds by third parties', () => {
  test("behavior: builds before and after the owner's build do not affect the owner's submission", async () => {
    const { submitted, made } = await attackByBuilds(service, 40)
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
    expect(made).toBe(40)
  })

  test('error: TOO_MANY_BUILDS for a caller with 64 builds, and for no other caller', async () => {
    const { owner, address } = await service.createWallet()
    const other = service.from('198.51.100.99')
    const builds = Array.from({ length: maxLiveBuilds - 1 }, (_, index) => other.build(address, index))
    expect(new Set((await Promise.all(builds)).map(({ status }) => status))).toEqual(new Set([200]))
    const last = await other.build(address, 1_000)
    expect(last.status).toBe(200)

    const rejected = await other.build(address, 1_001)
    expect(rejected).toMatchObject({ status: 429, body: { code: 'TOO_MANY_BUILDS' } })
    const { retryAfter, endsAt } = rejected.body
    expect(rejected.headers.get('retry-after')).toBe(String(retryAfter))
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(600)
    expect(Date.parse(endsAt)).toBeGreaterThan(Date.now())

    // No build was evicted, and a caller at another address is not rejected.
    const signature = await owner.signMessage({ message: { raw: last.body.messageToSign } })
    const owned = await service.from('203.0.113.8').build(address, 1)
    expect(owned.status).toBe(200)
    expect((await other.submit({ signature, walletAddress: address })).body).toMatchObject({ success: true })
    // Signed builds no longer count.
    expect((await other.build(address, 1_002)).status).toBe(200)
  })

  test('behavior: if two builds share a nonce, the first signed one is included and the other answers REBUILD', async () => {
    const { owner, address } = await service.createWallet()
    const visitors = [service.from('203.0.113.1'), service.from('203.0.113.2')]
    const builds = await Promise.all(visitors.map((visitor, index) => visitor.build(address, index)))
    expect(new Set(builds.map(({ body }) => body.userOp.nonce))).toEqual(new Set(['0']))
    const signatures = await Promise.all(
      builds.map(({ body }) => owner.signMessage({ message: { raw: body.messageToSign } })),
    )
    const submit = (index: number) =>
      service.from('203.0.113.3').submit({ walletAddress: address, signature: signatures[index] })
    expect(await submit(1)).toMatchObject({ status: 200, body: { success: true } })
    expect(await submit(0)).toMatchObject({ status: 409, body: { code: 'REBUILD' } })
  })

  test('behavior: parallel builds of one caller use 16 lanes, and the seventeenth shares one', async () => {
    const { owner, address } = await service.createWallet()
    const visitor = service.from('203.0.113.4')
    const first = await visitor.build(address, 0)
    const signature = await owner.signMessage({ message: { raw: first.body.messageToSign } })
    await visitor.submit({ walletAddress: address, signature })
    const builds = await Promise.all(Array.from({ length: 17 }, (_, index) => visitor.build(address, index)))
    const nonces = builds.map(({ body }) => body.userOp.nonce)
    expect(new Set(nonces).size).toBe(16)
  })

  test('behavior: a valid signature gets one answer, from however many addresses it is sent at once', async () => {
    const { owner, address } = await service.createWallet()
    const { body } = await service.from('203.0.113.50').build(address, 0)
    await service.from('203.0.113.51').build(address, 1)
    const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        service.from(`198.51.100.${index}`).submit({ walletAddress: address, signature }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(64).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test("behavior: nobody else's builds, signatures or authorisations reach an EOA that is its own account", async () => {
    const [account, thief] = await Promise.all(
      [newKey(), newKey()].map((key) => createDelegatedAccount(service, service.rpcUrl, key)),
    )
    if (!account || !thief) throw new Error('unreachable')
    const walletAddress = account.key.address
    const others = Array.from({ length: 16 }, (_, index) => service.from(`198.51.100.${index + 1}`))
    const before = await Promise.all(others.map((other, index) => other.build(walletAddress, index)))
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200]))
    const { body } = await service.from('203.0.113.9').build(walletAddress, 99)
    const own = await account.sign(body)
    const [stolen, forged] = await Promise.all([thief.sign(body), thief.authorize()])
    const submit = (more: object) => service.from('192.0.2.9').submit({ walletAddress, ...more })
    expect(await submit(stolen)).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } })
    for (const authorization of [forged, await account.authorize({ chainId: 0 }), undefined])
      expect(await submit({ ...own, authorization })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_AUTHORIZATION' },
      })
    expect(await account.chain.getCode({ address: walletAddress })).toBeUndefined()
    // Who has copied both signatures can only do what the owner wants.
    const answers = await Promise.all(others.map((other) => other.submit({ walletAddress, ...own })))
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const next = await service.from('203.0.113.9').build(walletAddress, 100)
    const { signature } = await account.sign(next.body)
    // An authorisation that is not needed has no effect, whoever signed it.
    expect(await submit({ signature, authorization: forged })).toMatchObject({ status: 200 })
    expect(await account.chain.getTransactionCount({ address: walletAddress })).toBe(1)
  })

  test("behavior: a guessed Idempotency-Key neither reads nor blocks a stranger's answer", async () => {
    const [mine, theirs] = [await service.createWallet(), await service.createWallet()]
    const from = (last: number) => service.from(`203.0.113.${last}`, { 'idempotency-key': 'guessed' })
    const first = await from(60).build(mine.address, 1)
    for (const other of [await from(61).build(theirs.address, 1), await from(61).build(mine.address, 2)]) {
      expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([200, null])
      expect(other.text).not.toBe(first.text)
    }
    // The sender of the first request gets its answer again, whatever its address is by now.
    const again = await from(62).build(mine.address, 1)
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
  })

  test("behavior: the token identifies the owner's builds from any address", async () => {
    const { username, wallet, token } = await service.register('owner-of-builds')
    const address = wallet.scw_address
    await service.chain.setBalance({ address, value: 10n ** 18n })
    const build = (from: string, headers: Record<string, string> = {}) => {
      const visitor = service.from(from, headers)
      return visitor.options({ username, value: Number.parseInt(from.slice(-1), 10) })
    }
    const bearer = { authorization: `Bearer ${token}` }
    const nonces = [
      await build('203.0.113.5', bearer),
      await build('203.0.113.6', bearer),
      await build('203.0.113.7'), // without a token
    ].map(({ body }) => BigInt(body.userOp.nonce) >> 64n)
    expect(nonces).toEqual([0n, 1n, 0n])
  })
})
