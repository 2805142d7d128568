// @promise 24 B.14
import { createEoaAccount } from '@lanyard/database'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { account, orderRow } from '../../../../test/rows.ts'
import { sweepOrders, trackPassSize } from './tracked-orders.ts'

const network = 31337
const total = 2 * trackPassSize + 50

/** The orders have no withdrawal because its digest is unique. */
const order = (changed: Parameters<typeof orderRow>[0]) =>
  orderRow({ withdrawal_state: 'none', withdrawal_digest: null, ...changed })

let opened: TestDatabase
beforeAll(async () => {
  opened = await freshDatabase()
  await createEoaAccount(opened.db, {
    address: account,
    eoaAddress: account,
    deployment: {},
    createdAt: new Date(0),
  })
  const rows = Array.from({ length: total }, (_, index) =>
    order({
      order_id: numberToHex(index, { size: 32 }),
      // The orders have the same creation time, as in a burst.
      reserved_at: new Date(Math.floor(index / 300) * 1_000),
      state: 'SUBMITTED',
      nonce_sequence: BigInt(index),
    }),
  )
  await opened.db.insertInto('orders').values(rows).execute()
})
afterAll(() => opened[Symbol.asyncDispose]())

const idsOf = (page: readonly { order_id: string }[]) => page.map(({ order_id }) => order_id)

test('behavior: each order comes up once per round, in pages of bounded size, even if no order changes', async () => {
  const sweep = sweepOrders(opened.db, network)
  for (let round = 0; round < 2; round++) {
    const pages = [await sweep.next(), await sweep.next(), await sweep.next()]
    expect(pages.map(({ length }) => length)).toEqual([trackPassSize, trackPassSize, 50])
    expect(new Set(pages.flatMap(idsOf)).size).toBe(total)
  }
})

test('behavior: an order closed during a round is skipped, and a new order comes up within the round', async () => {
  const sweep = sweepOrders(opened.db, network)
  const first = await sweep.next()
  const fresh = numberToHex(9_999, { size: 32 })
  await opened.db
    .insertInto('orders')
    .values(order({ order_id: fresh, reserved_at: new Date(1e12), nonce_key: 9n }))
    .execute()
  const last = first.at(-1)?.order_id ?? ''
  await opened.db.updateTable('orders').set({ closed_at: new Date() }).where('order_id', '=', last).execute()
  const rest = [...(await sweep.next()), ...(await sweep.next())]
  expect(idsOf(rest)).toContain(fresh)
  expect(new Set([...idsOf(first), ...idsOf(rest)]).size).toBe(total + 1)
  expect(idsOf(await sweep.next())).not.toContain(last)
})

test('behavior: a network without orders has an empty page', async () => {
  expect(await sweepOrders(opened.db, 1).next()).toEqual([])
})
