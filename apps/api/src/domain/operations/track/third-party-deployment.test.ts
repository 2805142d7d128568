/** @module-tag all */
import { encodeInitCode } from '@lanyard/accounts'
import { describeOneEngine } from '@lanyard/database/testing'
import { devAccounts, localTransport } from '@lanyard/devnet'
import { type Address, createWalletClient, type Hash, type Hex, size, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operations, startOperations } from '../../../../test/operation-fixture.ts'
import { reconcile } from './reconcile.ts'

/** Number of later blocks that make a deployment final. */
const confirmations = 12

describeOneEngine('an account that somebody else deploys', (engine) => {
  /** Blocks come only with transactions and on request, so a reorg removes exactly the intended blocks. */
  let at: Operations
  beforeAll(async () => {
    at = await startOperations(engine, { blockTime: 3_600, finality: { confirmations } })
    // anvil has no state of the blocks that it loads.
    await at.chain.mine({ blocks: confirmations })
  })
  afterAll(() => at?.[Symbol.asyncDispose]())

  const pass = () => reconcile(at.operations, at.network)

  /** The Safe factory deploys any account for anybody. */
  async function deployAsStranger(owner: Address): Promise<void> {
    const stranger = createWalletClient({
      account: privateKeyToAccount(devAccounts[5]?.privateKey as Hex), // anvil has ten
      transport: localTransport(at.node.rpcUrl),
    })
    const initCode = encodeInitCode({ kind: 'eoa', address: owner })
    const hash = await stranger.sendTransaction({
      chain: null,
      to: slice(initCode, 0, 20),
      data: slice(initCode, 20, size(initCode)),
    })
    await at.chain.waitForTransactionReceipt({ hash })
  }

  /** Submits a first operation. Its account is deployed between the check and the bundle. */
  async function submitOvertaken() {
    const { wallet, owner } = await at.createWallet()
    const built = await at.build(wallet)
    const signature = await at.sign(owner, built.operationHash)
    let isDeployed = false
    const overtaken = at.connect(async (step) => {
      if (step !== 'relayer:batch-picked' || isDeployed) return
      isDeployed = true
      await deployAsStranger(owner.address)
    })
    const answer = at.submit(wallet, owner, signature, overtaken)
    answer.catch(() => {})
    // The bundler has tried it and leaves it out.
    await expect
      .poll(() => at.readRow(built.userOpHash))
      .toMatchObject({ state: 'submitted', reason_code: null, next_attempt_at: expect.any(Date) })
    return { wallet, owner, answer, overtaken, userOpHash: built.userOpHash }
  }

  const rowOf = async (hash: Hash) => {
    const { state, final, reason_code } = await at.readRow(hash)
    return { state, final, reason_code }
  }

  test('behavior: a pass reads no deployment while a first operation waits for another reason', async () => {
    const { wallet, owner } = await at.createWallet()
    const built = await at.build(wallet)
    const signature = await at.sign(owner, built.operationHash)
    const crashing = { ...at.operations, checkpoint: crashAtSigned }
    await expect(at.submit(wallet, owner, signature, crashing)).rejects.toThrow('a crash')
    const countOf = async (row: object) => {
      await at.database
        .updateTable('operations')
        .set(row)
        .where('user_op_hash', '=', built.userOpHash)
        .execute()
      await reconcile({ ...at.operations, bundlerFor: () => idle }, at.network)
      at.rpc.take()
      await reconcile({ ...at.operations, bundlerFor: () => idle }, at.network)
      return at.rpc.take().calls
    }
    const nextAttempt = new Date(Date.now() + 3_600_000)
    const waiting = await countOf({ attempts: 1, reason_code: 'FEE_TOO_LOW', next_attempt_at: nextAttempt })
    const skipped = await countOf({ attempts: 1, reason_code: null, next_attempt_at: nextAttempt })
    expect(skipped).toBe(waiting + 1)
  })

  test('behavior: its caller builds again at once, and the next operation is included', async () => {
    const { wallet, owner, answer, overtaken, userOpHash } = await submitOvertaken()
    await pass()
    await expect(answer).rejects.toMatchObject({
      code: 'REBUILD',
      message:
        'This operation can no longer be included: Its account was deployed meanwhile. Build it again.',
    })
    expect(await rowOf(userOpHash)).toEqual({ state: 'dropped', final: false, reason_code: 'REBUILD' })
    await overtaken.watcher.close()

    expect(await at.send(wallet, owner)).toMatchObject({ success: true })
    await at.chain.mine({ blocks: confirmations })
    await pass()
    expect(await rowOf(userOpHash)).toEqual({ state: 'dropped', final: true, reason_code: 'REBUILD' })
  })

  test('behavior: it is sent again after a reorg removes the deployment, and included once', async () => {
    const { answer, overtaken, userOpHash } = await submitOvertaken()
    await pass()
    await expect(answer).rejects.toMatchObject({ code: 'REBUILD' })
    await overtaken.watcher.close()
    await at.chain.request({ method: 'anvil_reorg', params: [1, []] } as never) // viem does not type it
    const state = async () => {
      await pass()
      return (await at.readRow(userOpHash)).state
    }
    await expect.poll(state).toBe('included')
  })

  test('behavior: after a reorg it stays dropped if its owner has signed another operation since', async () => {
    const { wallet, owner, answer, overtaken, userOpHash } = await submitOvertaken()
    await pass()
    await expect(answer).rejects.toMatchObject({ code: 'REBUILD' })
    await overtaken.watcher.close()
    const later = await at.send(wallet, owner)
    await at.chain.request({ method: 'anvil_reorg', params: [2, []] } as never) // viem does not type it
    await pass()
    await pass()
    expect(await rowOf(later.userOpHash)).toMatchObject({ state: 'submitted' })
    expect(await rowOf(userOpHash)).toEqual({ state: 'dropped', final: false, reason_code: 'REBUILD' })
  })

  const crashAtSigned = async (step: string) => {
    if (step === 'submit:signed') throw new Error('a crash')
  }

  /** It sends nothing. */
  const idle = {
    get entryPoint() {
      return at.network.config.entryPoint
    },
    estimate: () => Promise.reject(new TypeError('This test builds nothing')),
    deliver: async () => {},
    drive: async () => {},
  }
})
