/** @module-tag all */
// @promise 15
import { encodeInitCode } from '@lanyard/accounts'
import { describeOneEngine } from '@lanyard/database/testing'
import { reportFigure } from '@lanyard/testing'
import { type Hex, parseAbiItem, sliceHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operations, recipient, startOperations } from '../../../../test/operation-fixture.ts'
import { recordStatements } from '../../../../test/statements.ts'

const userOperationEvent = parseAbiItem(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
)

/** Tests that concurrently submitted operations share statements, simulations and bundles. */
describeOneEngine('coalesced', (engine) => {
  let at: Operations
  beforeAll(async () => {
    at = await startOperations(engine)
  })
  afterAll(() => at[Symbol.asyncDispose]())

  const prepare = (count: number) => prepareSigned(at, count)
  const eventsOf = (userOpHash: Hex) =>
    at.chain.getLogs({
      address: at.network.config.entryPoint,
      event: userOperationEvent,
      args: { userOpHash },
      fromBlock: 0n,
    })

  test('behavior: one bad operation among 32 is refused, and the others are included in few bundles', async () => {
    const prepared = await prepare(32)
    const poor = prepared[7]
    if (poor) await at.chain.setBalance({ address: poor.wallet.address, value: 0n })
    const outcomes = await Promise.allSettled(
      prepared.map(({ wallet, owner, signature }) => at.submit(wallet, owner, signature)),
    )
    const failed = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ index, code: outcome.reason.code }] : [],
    )
    expect(failed).toEqual([{ index: 7, code: 'INSUFFICIENT_FUNDS' }])
    const transactions = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.txnHash] : []))
    expect(new Set(transactions).size).toBeLessThan(16)
    for (const [index, { built }] of prepared.entries()) {
      expect(await eventsOf(built.userOpHash)).toHaveLength(index === 7 ? 0 : 1)
    }
    // It was never sent, so its row is a build again.
    if (poor)
      expect(await at.readRow(poor.built.userOpHash)).toMatchObject({ state: 'built', signature: null })
  })

  test('behavior: two concurrent replicas include each operation once', async () => {
    const prepared = await prepare(12)
    const replicas = [at.connect(), at.connect()] as const
    const submissions = prepared.flatMap(({ wallet, owner, signature }, index) => [
      at.submit(wallet, owner, signature, replicas[index % 2 === 0 ? 0 : 1]),
      // The same request also goes to the other replica.
      at.submit(wallet, owner, signature, replicas[index % 2 === 0 ? 1 : 0]),
    ])
    expect((await Promise.all(submissions)).map(({ success }) => success)).toEqual(Array(24).fill(true))
    for (const { built } of prepared) expect(await eventsOf(built.userOpHash)).toHaveLength(1)
    for (const { watcher } of replicas) await watcher.close()
  })
})

/** Creates deployed accounts, each with a built and signed operation. */
async function prepareSigned(at: Operations, count: number) {
  await at.chain.impersonateAccount({ address: recipient })
  await at.chain.setBalance({ address: recipient, value: 10n ** 18n })
  const accounts = []
  for (let index = 0; index < count; index++) accounts.push(await at.createWallet())
  for (const { wallet } of accounts) {
    const initCode = encodeInitCode(wallet.owner, wallet.deployment)
    const hash = await at.chain.sendUnsignedTransaction({
      from: recipient,
      to: sliceHex(initCode, 0, 20),
      data: sliceHex(initCode, 20),
    })
    await expect.poll(() => at.chain.getTransactionReceipt({ hash }).catch(() => null)).not.toBeNull()
  }
  const prepared = []
  for (const { wallet, owner } of accounts) {
    const built = await at.build(wallet)
    prepared.push({ wallet, owner, built, signature: await at.sign(owner, built.operationHash) })
  }
  return prepared
}

/**
 * An increase must be deliberate. The minimum of several rounds counts: on a busy machine concurrent requests arrive
 * spread out, which only adds statements.
 */
test('behavior: 32 concurrent operations share their statements', async () => {
  await using at = await startOperations('pglite')
  const statements = recordStatements(at.opened)
  const counts: number[] = []
  for (let round = 0; round < 3; round++) {
    const prepared = await prepareSigned(at, 32)
    statements.take()
    const submitted = await Promise.all(
      prepared.map(({ wallet, owner, signature }) => at.submit(wallet, owner, signature)),
    )
    expect(submitted.every(({ success }) => success)).toBe(true)
    counts.push(statements.take().length)
  }
  const statementCount = Math.min(...counts)
  // Each further check while they wait for their block adds two statements.
  expect(statementCount).toBeLessThanOrEqual(1.5 * 32)
  reportFigure(
    15,
    'SQL statements of 32 operations at once, from their signatures to their inclusion',
    statementCount,
  )
})
