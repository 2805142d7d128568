import type { Database } from '@lanyard/database'
import { smartBalanceAbi } from '@lanyard/onchain'
import type { Kysely } from 'kysely'
import type { Hash } from 'viem'
import { entryPoint07Abi, entryPoint07Address, entryPoint08Address } from 'viem/account-abstraction'
import { expect } from 'vitest'
import { payee } from '../orders/order-chains.ts'
import { orderAmount, type Spender } from './actors/order.ts'
import { outputNetwork, type SignedOperation, type Stage, sourceNetwork } from './stage.ts'

type Chains = Stage['chains']

/**
 * Expects every operation of a network to be on its chain exactly once and to have succeeded, and no other operation to
 * be there.
 */
export async function expectOnceOnChain(chains: Chains, operations: readonly SignedOperation[]) {
  const events = await chains.on(outputNetwork).chain.getContractEvents({
    address: [entryPoint07Address, entryPoint08Address],
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    fromBlock: 0n,
    strict: true,
  })
  expect(events.map(({ args }) => args.userOpHash).toSorted()).toEqual(
    operations.map(({ userOpHash }) => userOpHash).toSorted(),
  )
  expect(events.filter(({ args }) => !args.success)).toEqual([])
}

/** Expects every signed operation to be final, and no two of them to share a nonce. */
export async function expectUniqueNonces(database: Kysely<Database>, operations: readonly SignedOperation[]) {
  const signed = () =>
    database
      .selectFrom('operations')
      .select(['user_op_hash', 'account', 'network', 'nonce_key', 'nonce_sequence', 'state', 'final'])
      .where('signature', 'is not', null)
      .execute()
  await expect.poll(async () => (await signed()).filter(({ final }) => !final).length).toBe(0)
  const rows = await signed()
  expect(rows.map(({ user_op_hash }) => user_op_hash).toSorted()).toEqual(
    operations.map(({ userOpHash }) => userOpHash).toSorted(),
  )
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['included']))
  const nonces = rows.map((row) => [row.account, row.network, row.nonce_key, row.nonce_sequence].join(' '))
  expect(new Set(nonces).size).toBe(rows.length)
}

/** Expects one mined, successful transaction for each nonce of the service's own accounts. */
export async function expectUniqueTransactions(database: Kysely<Database>, chains: Chains): Promise<number> {
  const rows = await database
    .selectFrom('relayer_transactions')
    .select(['network', 'relayer', 'nonce', 'txn_hash'])
    .where('state', '=', 'mined')
    .execute()
  expect(new Set(rows.map((row) => [row.network, row.relayer, row.nonce].join(' '))).size).toBe(rows.length)
  await Promise.all(
    rows.map(async ({ network, txn_hash }) => {
      const hash = txn_hash as Hash // the column holds 0x and 64 hex digits
      const { status } = await chains.on(network).chain.getTransactionReceipt({ hash })
      expect(status, `${hash} on ${network}`).toBe('success')
    }),
  )
  return rows.length
}

/** Expects every order to be claimed once, paid once and settled once, with exact amounts. */
export async function expectOrdersSettledOnce(
  database: Kysely<Database>,
  chains: Chains,
  spenders: readonly Spender[],
): Promise<void> {
  const orderIds = spenders.flatMap((spender) => spender.orderIds)
  const read = () =>
    database
      .selectFrom('orders')
      .select(['account', 'order_id', 'state', 'total'])
      .where('order_id', 'in', orderIds)
      .execute()
  const unsettled = async () => (await read()).filter(({ state }) => state !== 'SETTLED').length
  await expect.poll(unsettled, { interval: 500 }).toBe(0)
  const orders = await read()
  expect(await chains.balanceOf(outputNetwork, payee)).toBe(
    BigInt(orderIds.length) * orderAmount * chains.on(outputNetwork).scale,
  )
  for (const { account, deposited, orderIds: own } of spenders) {
    expect(await countEvents(chains, outputNetwork, 'OrderClaimed', account)).toBe(own.length)
    expect(await countEvents(chains, sourceNetwork, 'OrderSettled', account)).toBe(own.length)
    const spent = orders
      .filter((order) => order.account === account.toLowerCase())
      .reduce((sum, { total }) => sum + total, 0n)
    expect(await chains.depositOf(sourceNetwork, account)).toBe(deposited - spent)
  }
}

async function countEvents(
  chains: Chains,
  network: number,
  eventName: 'OrderClaimed' | 'OrderSettled',
  account: Spender['account'],
): Promise<number> {
  const { chain, smartBalance } = chains.on(network)
  const events = await chain.getContractEvents({
    address: smartBalance,
    abi: smartBalanceAbi,
    eventName,
    args: { account },
    fromBlock: 0n,
  })
  return events.length
}
