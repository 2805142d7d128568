// @promise 1
import { setTimeout as delay } from 'node:timers/promises'
import { packUserOperation } from '@lanyard/accounts'
import { checkpoints as bundlerCheckpoints, toSignedOperation } from '@lanyard/bundler'
import { describeEachEngine } from '@lanyard/database/testing'
import { devAccounts, localTransport } from '@lanyard/devnet'
import { reportPassed } from '@lanyard/testing/report-passed'
import { createWalletClient, type Hash, type Hex, parseEther } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Operations,
  recipient,
  startOperations,
  withSendingBundler,
} from '../../../../test/operation-fixture.ts'
import { checkpoints, type OperationDependencies } from '../dependencies.ts'
import { reconcile } from './reconcile.ts'

/** Thrown at a checkpoint to end a request like a crash: no later code runs. */
class Crash extends Error {}

reportPassed(1, 'deaths within one process survived', (title) => title.includes('after a crash at '))

describeEachEngine('reconcile', (engine) => {
  let at: Operations
  beforeAll(async () => {
    at = await startOperations(engine)
  })
  afterAll(() => at[Symbol.asyncDispose]())

  /** Runs passes of the worker until the row matches; each pass may wait for the chain. */
  async function reconcileUntil(hash: Hash, expected: object, dependencies = at.operations) {
    const deadline = Date.now() + 30_000
    for (;;) {
      await reconcile(dependencies, at.network)
      const row = await at.readRow(hash)
      if (Object.entries(expected).every(([field, value]) => row[field as keyof typeof row] === value))
        return row
      if (Date.now() > deadline) expect(row).toMatchObject(expected)
      await delay(50)
    }
  }

  const countEvents = async (hash: Hash) => {
    const logs = await at.chain.getContractEvents({
      address: at.network.config.entryPoint,
      abi: entryPoint07Abi,
      eventName: 'UserOperationEvent',
      args: { userOpHash: hash },
      fromBlock: 0n,
    })
    return logs.length
  }

  test('default: an included operation becomes final with its block', async () => {
    const { wallet, owner } = await at.createWallet()
    const { userOpHash } = await at.send(wallet, owner)
    expect(await at.readRow(userOpHash)).toMatchObject({ state: 'included', final: false })
    await reconcileUntil(userOpHash, { final: true, state: 'included' })
  })

  test('behavior: an operation that another bundler included is found by its event', async () => {
    const { wallet, owner } = await at.createWallet()
    const built = await at.build(wallet)
    const signature = await at.sign(owner, built.operationHash)
    const dependencies = { ...at.operations, checkpoint: crashAt('submit:signed') }
    await expect(at.submit(wallet, owner, signature, dependencies)).rejects.toThrow(Crash)

    const other = createWalletClient({
      account: privateKeyToAccount(devAccounts[5]?.privateKey as Hex), // anvil has ten
      transport: localTransport(at.node.rpcUrl),
    })
    const operation = toSignedOperation(await at.readRow(built.userOpHash))
    const hash = await other.writeContract({
      chain: null,
      address: at.network.config.entryPoint,
      abi: entryPoint07Abi,
      functionName: 'handleOps',
      args: [[packUserOperation(operation)], other.account.address],
    })
    await at.chain.waitForTransactionReceipt({ hash })
    const row = await reconcileUntil(built.userOpHash, { state: 'included' })
    expect(row.txn_hash).toBe(hash)
    await reconcileUntil(built.userOpHash, { final: true })
  })

  test('behavior: an operation is dropped if another one takes its nonce, and the drop is final with that operation', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    const built = await at.build(wallet)
    const signature = await at.sign(owner, built.operationHash)
    const dependencies = { ...at.operations, checkpoint: crashAt('submit:signed') }
    await expect(at.submit(wallet, owner, signature, dependencies)).rejects.toThrow(Crash)

    const replacement = await at.build(wallet, { replaces: built.userOpHash })
    expect((await at.submit(wallet, owner, await at.sign(owner, replacement.operationHash))).success).toBe(
      true,
    )
    await reconcileUntil(built.userOpHash, { state: 'dropped', final: true })
    expect(await countEvents(built.userOpHash)).toBe(0)
  })

  test('behavior: an operation of an account without funds stays a build and is included after funding', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    const built = await at.build(wallet)
    await at.chain.setBalance({ address: wallet.address, value: 0n })
    const signature = await at.sign(owner, built.operationHash)
    await expect(at.submit(wallet, owner, signature)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
    expect(await at.readRow(built.userOpHash)).toMatchObject({ state: 'built', signature: null })
    await at.chain.setBalance({ address: wallet.address, value: parseEther('1') })
    expect((await at.submit(wallet, owner, signature)).success).toBe(true)
  })

  describe('crashes', () => {
    /** `npm test` crashes once in each of the two: after the signature is stored, and after the bundle is sent. */
    const tagsOf = (name: string) => (inFastTier.includes(name) ? [] : ['all'])

    for (const name of checkpoints.filter((each) => each.startsWith('submit:'))) {
      test(`behavior: an operation is included once after a crash at ${name}`, {
        tags: tagsOf(name),
      }, async () => {
        await expectIncludedOnce({ ...withSendingBundler(at.operations), checkpoint: crashAt(name) })
      })
    }

    for (const name of bundlerCheckpoints) {
      test(`behavior: an operation is included once after a crash at ${name}`, {
        tags: tagsOf(name),
      }, async () => {
        await expectIncludedOnce(at.connect(crashAt(name)))
      })
    }

    async function expectIncludedOnce(dying: OperationDependencies) {
      const { wallet, owner } = await at.createWallet()
      const built = await at.build(wallet)
      const before = await at.chain.getBalance({ address: recipient })
      const signature = await at.sign(owner, built.operationHash)
      await at
        .submit(wallet, owner, signature, { ...dying, inclusionTimeout: 300 })
        .catch((error) =>
          expect(error).toSatisfy(
            (fixture) => fixture instanceof Crash || fixture.code === 'INCLUSION_TIMEOUT',
          ),
        )
      await dying.watcher.close()

      const restarted = at.connect()
      await reconcileUntil(built.userOpHash, { state: 'included', success: true }, restarted)
      expect(await countEvents(built.userOpHash)).toBe(1)
      expect((await at.chain.getBalance({ address: recipient })) - before).toBe(1n)
      await restarted.watcher.close()
    }
  })
})

const inFastTier = ['submit:signed', 'bundle:sent']

const crashAt = (name: string) => async (reached: string) => {
  if (reached === name) throw new Crash(name)
}
