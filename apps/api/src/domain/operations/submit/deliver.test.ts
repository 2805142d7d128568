import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { describeEachEngine } from '@lanyard/database/testing'
import type { Hash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operations, startOperations, withSendingBundler } from '../../../../test/operation-fixture.ts'
import { operationRow } from '../../../../test/rows.ts'
import type { OperationDependencies } from '../dependencies.ts'
import { pageSize } from '../track/find-unfinished.ts'
import { createReconcileState, reconcile } from '../track/reconcile.ts'
import { deliverAgain } from './deliver.ts'

/** Thrown at a checkpoint to end a request like a crash: no later code runs. */
class Crash extends Error {}

/** After this time a worker delivers an operation itself and does not wait for the request that signed it. */
const later = () => new Date(Date.now() + 5_000)

describeEachEngine('deliver', (engine) => {
  let at: Operations
  beforeAll(async () => {
    at = await startOperations(engine)
  })
  afterAll(() => at[Symbol.asyncDispose]())

  /** Dependencies with a bundler whose delivery a test can replace. */
  const withDelivery = (deliver: (userOpNonce: bigint) => Promise<void>): OperationDependencies => ({
    ...at.operations,
    now: later,
    bundlerFor: (network) => {
      const { check: _, ...bundler } = at.operations.bundlerFor(network)
      return { ...bundler, deliver: ({ nonce }) => deliver(nonce) }
    },
  })
  const rejecting = (code: ErrorCode) =>
    withDelivery(async () => {
      throw new LanyardError(code)
    })

  /** A deployed account with a signed operation whose process died before the delivery. */
  async function signAndDie(account?: Awaited<ReturnType<typeof at.createWallet>>) {
    const { wallet, owner } = account ?? (await at.createWallet())
    if (!account) await at.send(wallet, owner)
    const built = await at.build(wallet)
    const signature = await at.sign(owner, built.operationHash)
    const dying = {
      ...withSendingBundler(at.operations),
      checkpoint: async (name: string) => {
        if (name === 'submit:signed') throw new Crash()
      },
    }
    await expect(at.submit(wallet, owner, signature, dying)).rejects.toThrow(Crash)
    return { wallet, owner, hash: built.userOpHash, signature }
  }

  async function reconcileUntil(hash: Hash, expected: object) {
    const deadline = Date.now() + 30_000
    for (;;) {
      await reconcile({ ...at.operations, now: later }, at.network)
      const row = await at.readRow(hash)
      if (Object.entries(expected).every(([field, value]) => row[field as keyof typeof row] === value)) return
      if (Date.now() > deadline) expect(row).toMatchObject(expected)
      await delay(50)
    }
  }

  test('behavior: an operation whose nonce is ahead waits and is then included', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    await at.send(wallet, owner)
    const built = await at.build(wallet)
    // Simulates a reorg that removed both operations, or a node that lags.
    await at.setSequence(wallet.address, 0n, 1n)
    const signature = await at.sign(owner, built.operationHash)
    await expect(at.submit(wallet, owner, signature, rejecting('REBUILD'))).rejects.toMatchObject({
      code: 'NETWORK_FAILED',
      details: { userOpHash: built.userOpHash },
    })
    expect(await at.readRow(built.userOpHash)).toMatchObject({ state: 'submitting', attempts: 1 })
    await at.setSequence(wallet.address, 0n, 2n)
    await reconcileUntil(built.userOpHash, { state: 'included' })
  })

  test('behavior: a bundler that limits requests loses no operation, and is not asked before it allows it', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    const built = await at.build(wallet)
    const limited = withDelivery(async () => {
      throw new LanyardError('BUNDLER_UNAVAILABLE', {
        details: { reason: 'PROVIDER_LIMIT', retryAfter: 120 },
      })
    })
    const signature = await at.sign(owner, built.operationHash)
    await expect(at.submit(wallet, owner, signature, limited)).rejects.toMatchObject({
      code: 'BUNDLER_UNAVAILABLE',
      details: { userOpHash: built.userOpHash, reason: 'PROVIDER_LIMIT', retryAfter: 120 },
    })
    const row = await at.readRow(built.userOpHash)
    expect(row).toMatchObject({ state: 'submitting', signature: expect.stringMatching(/^0x/) })
    expect(row.next_attempt_at?.getTime()).toBeGreaterThan(Date.now() + 100_000)
    await at.database
      .updateTable('operations')
      .set({ next_attempt_at: new Date() })
      .where('user_op_hash', '=', built.userOpHash)
      .execute()
    await reconcileUntil(built.userOpHash, { state: 'included' })
  })

  test('behavior: a rejection after a crash keeps the signature because the bundler may have it already', async () => {
    const { hash } = await signAndDie()
    await reconcile(rejecting('INSUFFICIENT_FUNDS'), at.network)
    expect(await at.readRow(hash)).toMatchObject({
      state: 'submitting',
      signature: expect.stringMatching(/^0x/),
      attempts: 2,
      reason_code: 'INSUFFICIENT_FUNDS',
    })
    await at.database
      .updateTable('operations')
      .set({ next_attempt_at: new Date() })
      .where('user_op_hash', '=', hash)
      .execute()
    await reconcileUntil(hash, { state: 'included' })
  })

  test('behavior: an operation keeps its signature if it is rejected while another process delivers it', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    const built = await at.build(wallet)
    const slow = withDelivery(async () => {
      const muchLater = () => new Date(Date.now() + 30_000)
      await reconcile({ ...rejecting('FEE_TOO_LOW'), now: muchLater }, at.network)
      throw new LanyardError('FEE_TOO_LOW')
    })
    const signature = await at.sign(owner, built.operationHash)
    await expect(at.submit(wallet, owner, signature, slow)).rejects.toMatchObject({ code: 'FEE_TOO_LOW' })
    expect(await at.readRow(built.userOpHash)).toMatchObject({ state: 'submitting', attempts: 2 })
  })

  test('behavior: a rejected first delivery frees its nonce for any build', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    const built = await at.build(wallet)
    const replacing: Awaited<ReturnType<typeof at.build>>[] = []
    const dependencies = withDelivery(async () => {
      replacing.push(await at.build(wallet, { replaces: built.userOpHash }))
      throw new LanyardError('FEE_TOO_LOW')
    })
    const signature = await at.sign(owner, built.operationHash)
    await expect(at.submit(wallet, owner, signature, dependencies)).rejects.toMatchObject({
      code: 'FEE_TOO_LOW',
    })
    expect(await at.readRow(built.userOpHash)).toMatchObject({
      state: 'built',
      signature: null,
      reason_code: 'FEE_TOO_LOW',
    })
    const hash = replacing[0]?.operationHash ?? '0x'
    expect((await at.submit(wallet, owner, await at.sign(owner, hash))).success).toBe(true)
    await expect(at.submit(wallet, owner, signature)).rejects.toMatchObject({ code: 'REBUILD' })
  })

  test('behavior: a rejection after the inclusion drops neither the operation nor later ones on its lane', async () => {
    const { wallet, owner, hash } = await signAndDie()
    const following: Hash[] = []
    const stale = withDelivery(async () => {
      if (following.length > 0) throw new LanyardError('BUNDLER_UNAVAILABLE')
      await at.database
        .updateTable('operations')
        .set({ state: 'submitted', next_attempt_at: null })
        .where('user_op_hash', '=', hash)
        .execute()
      await reconcileUntil(hash, { state: 'included' })
      following.push((await signAndDie({ wallet, owner })).hash)
      throw new LanyardError('INVALID_SIGNATURE')
    })
    await reconcile(stale, at.network)
    expect(await at.readRow(hash)).toMatchObject({ state: 'included' })
    expect(await at.readRow(following[0] ?? '0x')).toMatchObject({ state: 'submitting' })
  })

  test('behavior: after a replacement has used the nonce, later operations on the lane can be included', async () => {
    const { wallet, owner, hash } = await signAndDie()
    const replacement = await at.build(wallet, { replaces: hash })
    const signature = await at.sign(owner, replacement.operationHash)
    await at.submit(wallet, owner, signature)
    const next = await signAndDie({ wallet, owner })
    // Its outcome is still unknown when it is sent again.
    await at.database
      .updateTable('operations')
      .set({ state: 'submitted', reason_code: null, next_attempt_at: new Date() })
      .where('user_op_hash', '=', hash)
      .execute()
    await expect(deliverAgain({ ...rejecting('REBUILD') }, await at.readRow(hash))).rejects.toMatchObject({
      code: 'REBUILD',
    })
    expect(await at.readRow(hash)).toMatchObject({ state: 'dropped' })
    expect(await at.readRow(next.hash)).toMatchObject({ state: 'submitting' })
    await reconcileUntil(next.hash, { state: 'included' })
  })

  test('behavior: a later operation is not dropped while an older one of the account waits', async () => {
    const first = await signAndDie()
    const second = await signAndDie({ wallet: first.wallet, owner: first.owner })
    const { nonce_key } = await at.readRow(second.hash)
    const codeOf = (nonce: bigint) => (nonce >> 64n === nonce_key ? 'OPERATION_REFUSED' : 'FEE_TOO_LOW')
    const reject = withDelivery(async (nonce) => {
      throw new LanyardError(codeOf(nonce))
    })
    await reconcile(reject, at.network)
    expect(await at.readRow(second.hash)).toMatchObject({
      state: 'submitting',
      reason_code: 'OPERATION_REFUSED',
    })
    await at.database
      .updateTable('operations')
      .set({ state: 'dropped', reason_code: 'OPERATION_REFUSED' })
      .where('user_op_hash', '=', first.hash)
      .execute()
    await at.database
      .updateTable('operations')
      .set({ next_attempt_at: new Date() })
      .where('user_op_hash', '=', second.hash)
      .execute()
    await reconcile(reject, at.network)
    expect(await at.readRow(second.hash)).toMatchObject({ state: 'dropped' })
  })

  test('behavior: a dropped operation is final once its validity has ended', async () => {
    const { hash } = await signAndDie()
    await at.database
      .updateTable('operations')
      .set({ state: 'dropped', reason_code: 'INVALID_SIGNATURE', valid_until: 1, next_attempt_at: null })
      .where('user_op_hash', '=', hash)
      .execute()
    await reconcileUntil(hash, { state: 'dropped', final: true })
  })

  test('behavior: newer operations are checked even if many older ones never end', {
    tags: ['all'],
  }, async () => {
    const { wallet, hash } = await signAndDie()
    const endless = Array.from({ length: pageSize + 1 }, (_, index) => ({
      ...operationRow({
        user_op_hash: `0x${index.toString(16).padStart(64, '0')}`,
        account: wallet.address.toLowerCase(),
        nonce_key: 100n + BigInt(index),
        state: 'dropped',
        signature: '0x01',
        signed_at: new Date(index),
        signed_at_block: 0,
      }),
      user_op: '{}',
    }))
    await at.database.insertInto('operations').values(endless).execute()
    const state = createReconcileState(at.operations, at.network)
    const isIncluded = async () => {
      await reconcile({ ...at.operations, now: later }, at.network, state)
      return (await at.readRow(hash)).state
    }
    await expect.poll(isIncluded).toBe('included')
  })
})
