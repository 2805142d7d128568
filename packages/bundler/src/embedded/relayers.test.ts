import { LanyardError } from '@lanyard/contracts'
import { describeEachEngine } from '@lanyard/database/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { type LocalAccount, parseEther } from 'viem'
import { privateKeyToAccount, toAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'

describeEachEngine('several relayers', (engine) => {
  let fixture: Fixture
  /** Advances the clock so that the leases of dead processes expire. */
  let offset = 0
  const now = () => new Date(Date.now() + offset)
  beforeAll(async () => {
    fixture = await startFixture(engine)
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  async function relayer(): Promise<LocalAccount> {
    const account = privateKeyToAccount(randomPrivateKey())
    await fixture.chain.setBalance({ address: account.address, value: parseEther('10') })
    return account
  }

  const submit = async (bundler: Bundler) =>
    fixture.submit(bundler, await fixture.build(bundler, await fixture.account(), [nothing]))

  const rowsOf = async ({ address }: LocalAccount) =>
    (await fixture.transactions()).filter((row) => row.relayer === address.toLowerCase())

  /** A relayer whose key is at a remote signer that is unavailable until `back` is set. */
  function remote(account: LocalAccount) {
    const signer = { back: false, requested: 0 }
    const { address, signMessage, signTypedData } = account
    const signTransaction: LocalAccount['signTransaction'] = async (...given) => {
      signer.requested++
      if (signer.back) return account.signTransaction(...given)
      throw new LanyardError('SIGNER_UNAVAILABLE')
    }
    return { signer, account: toAccount({ address, signMessage, signTypedData, signTransaction }) }
  }

  test("behavior: if a relayer's signer is unavailable, its operations say so, and are sent once it is back", async () => {
    const { signer, account } = remote(await relayer())
    const bundler = fixture.bundler({ relayers: [account], now })
    const hash = await submit(bundler)
    await expect(bundler.drive()).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
    expect(await fixture.row(hash)).toMatchObject({ state: 'submitted', reason_code: 'SIGNER_UNAVAILABLE' })
    expect(await rowsOf(account)).toEqual([])
    signer.back = true
    await bundler.drive()
    await fixture.noticeInclusion()
    expect(await fixture.row(hash)).toMatchObject({ state: 'included', reason_code: null })
    expect(await fixture.events(hash)).toHaveLength(1)
  })

  test("behavior: if a relayer's signer is unavailable, another relayer sends immediately", async () => {
    const { signer, account } = remote(await relayer())
    const other = await relayer()
    const bundler = fixture.bundler({ relayers: [account, other], now })
    const first = await submit(bundler)
    await expect(bundler.drive()).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
    const second = await submit(bundler)
    await bundler.drive()
    for (const hash of [first, second]) await expect.poll(() => fixture.events(hash)).toHaveLength(1)
    expect(await rowsOf(other)).toHaveLength(2)
    expect(signer.requested).toBe(1)
    await fixture.noticeInclusion()
  })

  test('behavior: pending transactions of a relayer are completed after it is removed from the configuration', async () => {
    const retired = await relayer()
    const reached = Promise.withResolvers<void>()
    const dying = fixture.bundler({
      relayers: [retired],
      now,
      checkpoint: (name) => {
        if (name !== 'relayer:row-written') return
        reached.resolve()
        return new Promise<void>(() => {})
      },
    })
    const hash = await submit(dying)
    dying.drive().catch(reached.reject)
    await reached.promise // signed and written, but sent to no node

    offset += 60_000
    const next = await relayer()
    const bundler = fixture.bundler({ relayers: [next], now })
    await bundler.drive()
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
    await bundler.drive()
    expect(await rowsOf(retired)).toMatchObject([{ state: 'mined' }])
    expect(await rowsOf(next)).toEqual([])
    await fixture.noticeInclusion()
  })

  test('behavior: an operation that a removed relayer could not send is sent by another one', async () => {
    const retired = await relayer()
    const reached = Promise.withResolvers<void>()
    const dying = fixture.bundler({
      relayers: [retired],
      now,
      checkpoint: (name) => {
        if (name !== 'relayer:row-written') return
        reached.resolve()
        return new Promise<void>(() => {})
      },
    })
    const hash = await submit(dying)
    dying.drive().catch(reached.reject)
    await reached.promise
    await fixture.chain.setBalance({ address: retired.address, value: 1n })
    offset += 60_000
    const next = await relayer()
    const bundler = fixture.bundler({ relayers: [next], now })
    await bundler.drive() // the node rejects the old relayer's transaction
    await bundler.drive()
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
    expect(await rowsOf(retired)).toMatchObject([{ state: 'lost' }])
    expect(await rowsOf(next)).toHaveLength(1)
  })
})
