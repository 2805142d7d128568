// @promise 7
import { describeEachEngine } from '@lanyard/database/testing'
import { type Address, encodeAbiParameters, keccak256, parseEther, zeroHash } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operations, recipient, startOperations } from '../../../../test/operation-fixture.ts'
import { recordCosts } from '../../../../test/record-costs.ts'

describeEachEngine('operations', (engine) => {
  let at: Operations
  beforeAll(async () => {
    at = await startOperations(engine)
  })
  afterAll(() => at[Symbol.asyncDispose]())

  test('behavior: long call data is hashed in another thread', async () => {
    const { wallet } = await at.createWallet()
    const build = (bytes: number) =>
      recordCosts(() =>
        at.build(wallet, { calls: [{ to: recipient, value: 1n, data: `0x${'ab'.repeat(bytes)}` }] }),
      )
    expect((await build(60_000)).milliseconds).toBeGreaterThan(0)
    expect((await build(60)).milliseconds).toBe(0)
  })

  const received = () => at.chain.getBalance({ address: recipient })

  test('default: the first operation deploys and pays, and later ones use lane 0', async () => {
    const { wallet, owner } = await at.createWallet()
    const before = await received()
    for (let sequence = 0n; sequence < 3n; sequence++) {
      const submission = await at.send(wallet, owner, { calls: [{ to: recipient, value: 5n, data: '0x' }] })
      expect(submission.success).toBe(true)
      const row = await at.readRow(submission.userOpHash)
      expect(row).toMatchObject({
        state: 'included',
        nonce_key: 0n,
        nonce_sequence: sequence,
        deploys: sequence === 0n,
      })
    }
    expect((await received()) - before).toBe(15n)
  })

  test('behavior: a repeated signature returns the same operation', async () => {
    const { wallet, owner } = await at.createWallet()
    const built = await at.build(wallet)
    const signature = await at.sign(owner, built.operationHash)
    const answers = await Promise.all([
      at.submit(wallet, owner, signature),
      at.submit(wallet, owner, signature),
    ])
    answers.push(await at.submit(wallet, owner, signature))
    expect(new Set(answers.map(({ txnHash }) => txnHash)).size).toBe(1)
  })

  test('behavior: the signature is written as submitted, once the bundler has accepted the operation', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    const built = await at.build(wallet)
    const states: string[] = []
    await at.submit(wallet, owner, await at.sign(owner, built.operationHash), {
      ...at.operations,
      checkpoint: async (name) => {
        if (name.startsWith('submit:')) states.push(`${name} ${(await at.readRow(built.userOpHash)).state}`)
      },
    })
    expect(states).toEqual(['submit:signed submitted', 'submit:submitted submitted'])
  })

  /** What EntryPoint kept of an earlier prefund could pay for the next operation. `deposits` is its slot 0. */
  const removeDeposit = (account: Address) =>
    at.chain.setStorageAt({
      address: entryPoint07Address,
      index: keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, 0n])),
      value: zeroHash,
    })

  test('behavior: if one of two concurrent requests with one signature is refused, both are', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    const built = await at.build(wallet)
    const signature = await at.sign(owner, built.operationHash)
    const replicas = [at.connect(), at.connect()] as const
    const rejection = Promise.withResolvers<void>()
    // The first one is accepted, and is slow to write that; meanwhile the account loses its coins.
    const first = at.submit(wallet, owner, signature, {
      ...replicas[0],
      checkpoint: async (name) => {
        if (name !== 'sign:checked') return
        await at.chain.setBalance({ address: wallet.address, value: 0n })
        await removeDeposit(wallet.address)
        rejection.resolve(at.submit(wallet, owner, signature, replicas[1]).then(() => {}))
        await rejection.promise.catch(() => {})
      },
    })
    const outcomes = await Promise.allSettled([rejection.promise, first])
    expect(outcomes).toMatchObject([
      { reason: { code: 'INSUFFICIENT_FUNDS', details: { userOpHash: built.userOpHash } } },
      { reason: { code: 'INSUFFICIENT_FUNDS', details: { userOpHash: built.userOpHash } } },
    ])
    expect(await at.readRow(built.userOpHash)).toMatchObject({ state: 'built', signature: null })
    // A later request is a new attempt.
    await at.chain.setBalance({ address: wallet.address, value: parseEther('1') })
    expect((await at.submit(wallet, owner, signature)).success).toBe(true)
    for (const { watcher } of replicas) await watcher.close()
  })

  test('behavior: ten concurrent builds and submits each get a lane, and all are included', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    const before = await received()
    const built = await Promise.all(Array.from({ length: 10 }, () => at.build(wallet)))
    expect(new Set(built.map(({ operation }) => operation.nonce)).size).toBe(10)
    const answers = await Promise.all(
      built.map(async ({ operationHash }) => at.submit(wallet, owner, await at.sign(owner, operationHash))),
    )
    expect(answers.every(({ success }) => success)).toBe(true)
    expect((await received()) - before).toBe(10n)
  })

  test('behavior: an operation whose call reverts only at inclusion is included without success', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    const calls = [{ to: recipient, value: parseEther('100'), data: '0x' as const }]
    const submission = await at.send(wallet, owner, { calls, allowRevert: true })
    expect(submission.success).toBe(false)
    expect(await at.readRow(submission.userOpHash)).toMatchObject({
      state: 'included',
      reason_code: 'EXECUTION_REVERTED',
    })
  })

  test('error: INSUFFICIENT_FUNDS has the missing amount', async () => {
    const { wallet } = await at.createWallet(0n)
    await expect(at.build(wallet)).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      details: { available: '0', missing: expect.stringMatching(/^\d+$/) },
    })
  })

  test('error: NOTHING_TO_DO for an empty request of a deployed account', async () => {
    const { wallet, owner } = await at.createWallet()
    expect((await at.send(wallet, owner, { calls: [] })).success).toBe(true)
    await expect(at.build(wallet, { calls: [] })).rejects.toMatchObject({ code: 'NOTHING_TO_DO' })
  })

  test('error: EXECUTION_REVERTED names the call and the reason', async () => {
    const { wallet } = await at.createWallet()
    const token = at.node.settlementToken.address
    const transfer =
      `0xa9059cbb${recipient.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}` as const
    const fine = { to: recipient, value: 1n, data: '0x' } as const
    const calls = [fine, fine, { to: token, value: 0n, data: transfer }, fine]
    await expect(at.build(wallet, { calls })).rejects.toMatchObject({
      code: 'EXECUTION_REVERTED',
      details: { call: 2 },
      message: expect.stringContaining('ERC20InsufficientBalance'),
    })
  })

  test('behavior: replaces takes over the nonce with higher fees', async () => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    const first = await at.build(wallet)
    const second = await at.build(wallet, {
      replaces: first.userOpHash,
      calls: [{ to: recipient, value: 2n, data: '0x' }],
    })
    expect(second.operation.nonce).toBe(first.operation.nonce)
    expect((await at.submit(wallet, owner, await at.sign(owner, second.operationHash))).success).toBe(true)
    await expect(at.submit(wallet, owner, await at.sign(owner, first.operationHash))).rejects.toMatchObject({
      code: 'REBUILD',
      message: expect.stringContaining(second.userOpHash),
    })
  })

  test('error: OPERATION_IN_FLIGHT does not stop parallel first builds, but only one is included', async () => {
    const { wallet, owner } = await at.createWallet()
    const [one, two] = await Promise.all([at.build(wallet), at.build(wallet)])
    const settled = await Promise.allSettled([
      at.submit(wallet, owner, await at.sign(owner, one.operationHash)),
      at.submit(wallet, owner, await at.sign(owner, two.operationHash)),
    ])
    const rejected = settled.find(({ status }) => status === 'rejected')
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(rejected).toMatchObject({ reason: { code: expect.stringMatching(/OPERATION_IN_FLIGHT|REBUILD/) } })
  })
})
