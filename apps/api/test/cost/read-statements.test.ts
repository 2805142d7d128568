/** @module-tag all */
// @promise 19

import type { TestDatabase } from '@lanyard/database/testing'
import { reportFigure } from '@lanyard/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OrderService, startOrderService } from '../orders/order-service.ts'
import { recordStatements, type Statements } from '../statements.ts'

const [first, second] = [31337, 31338] as const
const many = 40

let service: OrderService
let statements: Statements
let accounts: readonly Account[]
beforeAll(async () => {
  // There is no worker, so only requests query the database.
  service = await startOrderService({
    engine: 'pglite',
    chainIds: [first, second],
    environment: { ROLES: 'api' },
  })
  statements = recordStatements(service.database as TestDatabase)
  accounts = [await accountWithOrders(1), await accountWithOrders(many)]
})
afterAll(() => service[Symbol.asyncDispose]())

interface Account {
  readonly address: string
  readonly username: string
}

/** Creates an account with this many operations and orders in addition to the one that it builds. */
async function accountWithOrders(times: number): Promise<Account> {
  const { address } = await service.createFunded([first, second])
  const request = { walletAddress: address, outputNetwork: second, amount: '100000001' }
  const { status } = await service.buildSolution(request)
  expect(status).toBe(200)
  const before = await reservedOf(address)
  await repeatOperation(address, times)
  expect(await reservedOf(address)).toBe(before + BigInt(times)) // each of them is open and reserves 1
  return { address, username: await usernameOf(address) }
}

/** The amount that open orders reserve of the deposit on the source network. */
async function reservedOf(address: string): Promise<bigint> {
  const { body } = await query('/v3/smartbalance/deposits', { walletAddress: address })
  return BigInt(body.deposits[0].reserved)
}

/** Inserts rows as if the account had sent its operation and its order this many times. None is settled yet. */
async function repeatOperation(address: string, times: number) {
  const account = address.toLowerCase()
  const hash = (of: string) => sql.raw(`('0x' || md5(i || ${of}) || md5(${of} || i))`)
  await sql`
    insert into operations
    select (jsonb_populate_record(operations, jsonb_build_object(
      'user_op_hash', ${hash('user_op_hash')}, 'nonce_sequence', i, 'state', 'included', 'signature', '0x',
      'signed_at', now(), 'txn_hash', ${hash('account')}, 'block_number', i, 'block_hash', '0x',
      'included_at', now(), 'success', true
    ))).*
    from operations, generate_series(1, ${times}::int) as i
    where account = ${account} and state = 'built'`.execute(service.database.db)
  await sql`
    insert into orders
    select (jsonb_populate_record(orders, jsonb_build_object(
      'order_id', ${hash('order_id')}, 'nonce_sequence', i, 'withdrawal_digest', ${hash('withdrawal_digest')},
      'state', 'SUBMITTED', 'user_op_hash', ${hash('made.user_op_hash')}
    ))).*
    from orders, generate_series(1, ${times}::int) as i,
      lateral (select user_op_hash from operations where operations.account = orders.account and state = 'built') as made
    where account = ${account} and state = 'RESERVED'`.execute(service.database.db)
  await sql`
    insert into order_operations
    select (jsonb_populate_record(order_operations, jsonb_build_object(
      'order_hash', ${hash('order_operations.order_hash')}, 'order_id', ${hash('order_operations.order_id')}
    ))).*
    from order_operations join orders using (order_id), generate_series(1, ${times}::int) as i
    where account = ${account} and orders.state = 'RESERVED'`.execute(service.database.db)
  await sql`
    insert into order_debits
    select (jsonb_populate_record(order_debits, jsonb_build_object(
      'order_id', ${hash('order_debits.order_id')}, 'amount', 1, 'fail_fee', 0
    ))).*
    from order_debits join orders using (order_id), generate_series(1, ${times}::int) as i
    where account = ${account} and orders.state = 'RESERVED'`.execute(service.database.db)
}

const query = (path: string, parameters: Record<string, string>) =>
  service.rest.get(`${path}?${new URLSearchParams(parameters)}`)

// biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answer
type Answer = { readonly status: number; readonly body: any }

/** For answers whose length does not depend on the history. */
const fixedLength = () => 0

/** Each read, with a function that counts the entries of its answer. */
const reads: Record<
  string,
  readonly [(account: Account) => Promise<Answer>, (body: Answer['body']) => number]
> = {
  '/user': [({ username }) => query('/user', { username }), ({ transactions }) => transactions.length],
  '/wallet/activity': [
    ({ address }) => query('/wallet/activity', { walletAddress: address, limit: '50' }),
    ({ activity }) => activity.length,
  ],
  '/v3/smartbalance/orders': [
    ({ address }) => query('/v3/smartbalance/orders', { walletAddress: address }),
    ({ orders }) => orders.length,
  ],
  '/v3/smartbalance/deposits': [
    ({ address }) => query('/v3/smartbalance/deposits', { walletAddress: address }),
    fixedLength,
  ],
  '/v3/smartbalance/getbalance': [
    ({ address }) => query('/v3/smartbalance/getbalance', { walletAddress: address }),
    fixedLength,
  ],
  '/v3/smartbalance/getquote': [
    ({ address }) =>
      service.rest.post('/v3/smartbalance/getquote', {
        walletAddress: address,
        outputNetwork: second,
        amount: '1',
      }),
    fixedLength,
  ],
}

/** Counts SQL statements: a longer history costs more rows, but no additional statement. */
test.each(Object.keys(reads))(
  'behavior: %s runs the same statements for a short and a long history',
  async (path) => {
    const [read, entries] = reads[path] ?? []
    if (!read || !entries) throw new TypeError(`Unknown read ${path}`)
    const counts: { statements: readonly string[]; entries: number }[] = []
    for (const account of accounts) {
      expect((await read(account)).status).toBe(200) // the first read runs additional statements
      statements.take()
      const { status, body } = await read(account)
      expect(status).toBe(200)
      counts.push({
        statements: statements.take().filter(isOfRequest).map(shapeOf).toSorted(),
        entries: entries(body),
      })
    }
    const [few, more] = counts
    expect(few?.statements).not.toEqual([])
    expect(more?.statements).toEqual(few?.statements)
    if (entries !== fixedLength) expect([few?.entries, more?.entries]).toEqual([1, many])
    reportFigure(
      19,
      `SQL statements of ${path}, for any history of the account`,
      more?.statements.length ?? Number.NaN,
    )
  },
)

/** The service reloads the API keys from time to time, independent of requests. */
const isOfRequest = (text: string) => !text.includes('"api_keys"')

/** The statement without the number of its parameters. */
const shapeOf = (text: string) => text.replaceAll(/\$\d+(, \$\d+)*/g, '$')

async function usernameOf(address: string): Promise<string> {
  const { username } = await service.database.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.user_id', 'users.id')
    .select('username')
    .where('address', '=', address.toLowerCase())
    .executeTakeFirstOrThrow()
  return username
}
