/** @module-tag all */
// @promise 5

import { describeOneEngine } from '@lanyard/database/testing'
import { devRoles, localTransport } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { sql } from 'kysely'
import { createWalletClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OrderService, payee, startOrderService } from '../orders/order-service.ts'
import { type RestClient, restClient } from '../rest.ts'

const [first, second, third] = [31337, 31338, 31339] as const

describeOneEngine('two instances on one database', (engine) => {
  let service: OrderService
  let clients: readonly RestClient[]
  let stopOther: () => Promise<void>
  beforeAll(async () => {
    service = await startOrderService({ production: true, engine })
    const other = await service.start()
    stopOther = () => other.close()
    clients = [service.rest, restClient(other.url, service.headers)]
  })
  afterAll(async () => {
    await stopOther()
    await service[Symbol.asyncDispose]()
  })

  /** Sends concurrent requests, alternating between both instances. */
  const sendConcurrently = (
    count: number,
    ask: (client: RestClient, index: number) => ReturnType<RestClient['post']>,
  ) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => {
        const client = clients[index % clients.length] ?? service.rest
        return ask(client, index)
      }),
    )
  const solve = (client: RestClient, body: object) => client.post('/v3/smartbalance/computesolution', body)
  const openOrders = () => service.database.db.selectFrom('orders').selectAll().where('closed_at', 'is', null)

  /** Expires the co-signatures, so that each round finds free deposits. */
  const expireCosignatures = (account: string) =>
    service.database.db
      .updateTable('orders')
      .set({ withdrawal_state: 'lapsed' })
      .where('account', '=', account)
      .where('withdrawal_state', '=', 'open')
      .execute()

  test('behavior: one of several concurrent solutions for an account stays, and no deposit is held beyond its balance', async () => {
    const { address } = await service.createFunded([first, second, third])
    const account = address.toLowerCase()
    // Each round sends only a few requests. With many, the last request would clean up after the concurrent ones.
    for (let round = 0; round < 7; round++) {
      const answers = await sendConcurrently(3, (client, index) =>
        solve(client, {
          walletAddress: address,
          outputNetwork: [first, second, third][index],
          amount: String(70_000_000 + round * 10_000_000),
        }),
      )
      expect(answers.some(({ status }) => status === 200)).toBe(true)
      expect(await openOrders().where('account', '=', account).execute()).toHaveLength(1)
      const { rows } = await sql<{ network: number; taken: bigint }>`
        select network, sum(taken)::numeric as taken from (
          select d.network, d.amount as taken from order_debits d join orders o using (order_id)
            where o.account = ${account} and o.closed_at is null
          union all
          select output_network, withdrawal_amount + withdrawal_fee from orders
            where account = ${account} and closed_at is null
        ) as held group by network`.execute(service.database.db)
      for (const { taken } of rows) expect(taken).toBeLessThanOrEqual(100_000_000n)
      await expireCosignatures(account)
    }
  })

  test('behavior: 20 accounts never reserve more than the liquidity and the cap allow', async () => {
    const wallets = await Promise.all(Array.from({ length: 20 }, () => service.createWallet()))
    for (const { address, signer } of wallets) await service.deposit(first, address, 100_000_000n, signer)
    const cap = 310_000_000n
    const { chain, rpcUrl, smartBalance } = service.on(second)
    const owner = createWalletClient({
      account: privateKeyToAccount(devRoles.owner.privateKey),
      transport: localTransport(rpcUrl),
    })
    const hash = await owner.writeContract({
      chain: null,
      address: smartBalance,
      abi: smartBalanceAbi,
      functionName: 'setOutflowCap',
      args: [cap],
    })
    await chain.waitForTransactionReceipt({ hash })
    const before = await openOrders().where('output_network', '=', second).execute()
    const held = before.reduce((sum, { claim_amount }) => sum + claim_amount, 0n)
    const fitting = (cap - held) / 50_000_000n

    const answers = await sendConcurrently(20, (client, index) =>
      solve(client, {
        walletAddress: wallets[index]?.address,
        outputNetwork: second,
        amount: '50000000',
      }),
    )
    const codes = answers.map(({ status, body }) => (status === 200 ? 'reserved' : body.code))
    expect(codes.filter((code) => code === 'reserved')).toHaveLength(Number(fitting))
    expect(codes.filter((code) => code === 'INSUFFICIENT_LIQUIDITY')).toHaveLength(20 - Number(fitting))
    const after = await openOrders().where('output_network', '=', second).execute()
    expect(after.reduce((sum, { claim_amount }) => sum + claim_amount, 0n)).toBeLessThanOrEqual(cap)
  })

  test('behavior: concurrent builds and solutions never share a nonce', async () => {
    const { address } = await service.createFunded([first])
    await service.on(third).chain.setBalance({ address, value: 10n ** 18n })
    const account = address.toLowerCase()
    const answers = await sendConcurrently(20, (client, index) =>
      index % 4 < 2
        ? solve(client, { walletAddress: address, outputNetwork: third, amount: '1000000' })
        : client.post('/smart-account/transaction/build', {
            network: String(third),
            walletAddress: address,
            transactionDetails: [{ encodedData: '0x', targetContractAddress: payee, value: '1' }],
          }),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const built = await service.database.db
      .selectFrom('operations')
      .select(['nonce_key', 'nonce_sequence'])
      .where('account', '=', account)
      .where('state', '=', 'built')
      .execute()
    const reserved = await openOrders().where('account', '=', account).execute()
    expect(reserved).toHaveLength(1)
    const nonces = [...built, ...reserved].map((row) => `${row.nonce_key}:${row.nonce_sequence}`)
    expect(new Set(nonces).size).toBe(nonces.length)
  })
})
