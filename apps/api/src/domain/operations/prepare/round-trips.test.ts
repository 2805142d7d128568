// @promise 14
import { encodeInitCode } from '@lanyard/accounts'
import { createNetworks } from '@lanyard/networks'
import { reportFigure } from '@lanyard/testing'
import { sliceHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operations, recipient, startOperations } from '../../../../test/operation-fixture.ts'
import { laneCount } from '../nonces.ts'

/** Counts of HTTP round trips to the chain's node. An increase must be deliberate. */
describe('requests of a build to the node', () => {
  let fixture: Operations
  beforeAll(async () => {
    fixture = await startOperations('pglite')
    await fixture.build((await fixture.createWallet()).wallet) // reads constants and the first fees
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  /** A third party sends this transaction, so the service does not know about it. */
  async function deploy(account: Awaited<ReturnType<Operations['createWallet']>>) {
    const { owner, deployment } = account.wallet
    const initCode = encodeInitCode(owner, deployment)
    await fixture.chain.impersonateAccount({ address: recipient })
    await fixture.chain.setBalance({ address: recipient, value: 10n ** 18n })
    const hash = await fixture.chain.sendUnsignedTransaction({
      from: recipient,
      to: sliceHex(initCode, 0, 20),
      data: sliceHex(initCode, 20),
    })
    await expect.poll(() => fixture.chain.getTransactionReceipt({ hash }).catch(() => null)).not.toBeNull()
  }

  async function deployed() {
    const account = await fixture.createWallet()
    await deploy(account)
    return account
  }

  async function tripsOfBuild(account: Awaited<ReturnType<Operations['createWallet']>>) {
    fixture.rpc.take()
    const built = await fixture.build(account.wallet)
    return { built, ...fixture.rpc.take() }
  }

  test('behavior: a build of a deployed account takes one round trip, even the first time', async () => {
    const { trips, requests, built } = await tripsOfBuild(await deployed())
    expect(built.operation.initCode).toBe('0x')
    expect(trips).toBe(1)
    reportFigure(14, 'round trips of a build by a deployed account', trips)
    reportFigure(14, 'JSON-RPC requests in it', requests)
  })

  test('behavior: a build of an account that is not deployed takes one round trip', async () => {
    const { trips, built } = await tripsOfBuild(await fixture.createWallet())
    expect(built.operation.initCode).not.toBe('0x')
    expect(trips).toBe(1)
    reportFigure(14, 'round trips of a build by an account that is not deployed', trips)
  })

  test('behavior: an account that was read is simulated once, as it was', async () => {
    const account = await fixture.createWallet()
    const first = await tripsOfBuild(account)
    const again = await tripsOfBuild(account)
    // Fees may have been read again between them, so only calls are compared.
    expect(again.calls).toBe(first.calls - 1)
    const signature = await fixture.sign(account.owner, again.built.operationHash)
    await fixture.submit(account.wallet, account.owner, signature)
    // Its own operation has deployed it: one round trip, as for an account that was never read.
    expect(await tripsOfBuild(account)).toMatchObject({ trips: 1, calls: first.calls })
  })

  test('behavior: an account that somebody else has deployed after a build costs another round trip, once', async () => {
    const account = await fixture.createWallet()
    await tripsOfBuild(account)
    await deploy(account)
    const { built, trips } = await tripsOfBuild(account)
    expect(built.operation.initCode).toBe('0x')
    expect(trips).toBe(2)
    expect(await tripsOfBuild(account)).toMatchObject({ trips: 1 })
  })

  test('behavior: a build takes two round trips if every lane was used, and the operation is still included', async () => {
    const account = await deployed()
    for (let lane = 0; lane < laneCount; lane++) {
      await fixture.setSequence(account.wallet.address, BigInt(lane), 7n)
    }
    const { trips, built } = await tripsOfBuild(account)
    expect(built.operation.nonce & (2n ** 64n - 1n)).toBe(7n)
    expect(trips).toBe(2)
    const signature = await fixture.sign(account.owner, built.operationHash)
    expect(await fixture.submit(account.wallet, account.owner, signature)).toMatchObject({ success: true })
  })

  test('behavior: a speculative estimate equals a requested one', async () => {
    const account = await deployed()
    const { built, trips } = await tripsOfBuild(account)
    expect(trips).toBe(1)
    // A network that never read its fees has no speculative estimate.
    const unprepared = createNetworks([fixture.network.config]).get(fixture.network.chainId)
    const again = await fixture.build(account.wallet, { network: unprepared })
    expect(fixture.rpc.take().trips).toBe(2)
    const limits = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const
    for (const limit of limits) expect(again.operation[limit]).toBe(built.operation[limit])
  })
})
