/** @module-tag all */
import { recordInclusion } from '@lanyard/database'
import { describeOneEngine } from '@lanyard/database/testing'
import { lateReceipts, type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'

describeOneEngine('a provider whose receipts arrive late', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  let proxy: RpcProxy
  beforeAll(async () => {
    fixture = await startFixture(engine, {}, async (rpcUrl) => {
      proxy = await startRpcProxy(rpcUrl)
      return { rpcUrls: [proxy.url] }
    })
    bundler = fixture.bundler({ settings: { auditEvery: 0 } })
  })
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })

  test('behavior: an included operation is neither refused nor sent again, and the next one is sent', async () => {
    const hash = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    proxy.set(lateReceipts({}))
    for (let pass = 0; pass < 4; pass++) await bundler.drive()
    expect(await fixture.events(hash)).toMatchObject([{ args: { success: true } }])
    expect(await fixture.row(hash)).toMatchObject({ state: 'submitted', reason_code: null })
    expect(await fixture.transactions()).toHaveLength(1)
    const next = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    await bundler.drive()
    expect(await fixture.events(next)).toHaveLength(1)
  })
  test('behavior: a transaction that counts as lost is in the books once its operation is seen', async () => {
    const hash = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    proxy.set(lateReceipts({}))
    for (let pass = 0; pass < 2; pass++) await bundler.drive()
    const [event] = await fixture.events(hash)
    if (!event) throw new TypeError('one event of one operation')
    const book = async () => {
      const rows = await fixture.database.db
        .selectFrom('relayer_transactions')
        .select(['state', 'block_hash', 'spent', 'earned'])
        .where('txn_hash', '=', event.transactionHash)
        .execute()
      return rows.map(({ spent, earned, ...row }) => ({
        ...row,
        spent: String(spent),
        earned: String(earned),
      }))
    }
    expect(await book()).toEqual([{ state: 'lost', block_hash: null, spent: 'null', earned: 'null' }])

    const { gasUsed, effectiveGasPrice } = await fixture.chain.getTransactionReceipt({
      hash: event.transactionHash,
    })
    await recordInclusion(fixture.database.db, {
      ...{ userOpHash: hash, txnHash: event.transactionHash, blockNumber: event.blockNumber },
      ...{ blockHash: event.blockHash, timestamp: new Date(), success: true },
      ...{ gasCost: event.args.actualGasCost ?? 0n, revertReason: undefined },
    })
    proxy.set()
    await bundler.drive()
    expect(await book()).toEqual([
      {
        ...{ state: 'mined', block_hash: event.blockHash },
        ...{ spent: String(gasUsed * effectiveGasPrice), earned: String(event.args.actualGasCost) },
      },
    ])
  })
})
