import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeCancelExit, encodeDeposit, encodeRequestExit } from '@lanyard/smart-balance'
import { randomPrivateKey } from '@lanyard/testing'
import { createTRPCClient, httpLink } from '@trpc/client'
import { getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppRouter } from '../../src/routers/router.ts'
import { type OrderService, startOrderService } from '../orders/order-service.ts'

const [first, second, third] = [31337, 31338, 31339] as const

let service: OrderService
beforeAll(async () => {
  service = await startOrderService({ production: true })
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v3/smartbalance/getbalance'
const getBalance = (address: string) => service.rest.get(`${path}?walletAddress=${address}`)
const getDeposits = async (address: string) =>
  (await service.rest.get(`/v3/smartbalance/deposits?walletAddress=${address}`)).body

describe('getbalance', () => {
  test('default: the balance is the sum over all networks', async () => {
    const { address } = await service.createFunded([first, third], 40_000_001n)
    const { status, body } = await getBalance(address)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        netBalance: '80000002',
        balances: { [first]: '40000001', [second]: '0', [third]: '40000001' },
      },
    })
  })

  test('behavior: tRPC returns the same balance', async () => {
    const { address } = await service.createFunded([second])
    const client = createTRPCClient<AppRouter>({
      links: [httpLink({ url: `${service.service.url}/trpc`, headers: service.headers })],
    })
    const { body } = await getBalance(address)
    expect(await client.smartBalance.getBalance.query({ walletAddress: address })).toEqual(body)
  })

  test("behavior: an EOA's address selects its wallet", async () => {
    const { address, owner } = await service.createFunded([first], 7n)
    expect((await getBalance(owner.address)).body).toEqual((await getBalance(address)).body)
  })

  test('behavior: an unknown address gets its on-chain balance', async () => {
    const thirdParty = privateKeyToAccount(randomPrivateKey()).address
    await service.deposit(second, thirdParty, 5_000_000n)
    const { status, body } = await getBalance(thirdParty)
    expect({ status, body }).toEqual({
      status: 200,
      body: { netBalance: '5000000', balances: { [first]: '0', [second]: '5000000', [third]: '0' } },
    })
    expect(
      await service.database.db
        .selectFrom('smart_balance_ledger')
        .where('account', '=', thirdParty.toLowerCase())
        .selectAll()
        .execute(),
    ).toEqual([])
  })

  test("behavior: without an address the answer is for the token's user", async () => {
    const { owner, address } = await service.createFunded([first], 3n)
    const { body: challenge } = await service.rest.post('/login/message', {
      walletAddress: address,
      eoaAddress: owner.address,
    })
    const signature = await owner.signMessage({ message: challenge.message })
    const { body: login } = await service.rest.post('/login/verify', {
      message: challenge.message,
      signature,
    })
    const response = await fetch(`${service.service.url}${path}`, {
      headers: { ...service.headers, authorization: `Bearer ${login.token}` },
    })
    expect(await response.json()).toEqual((await getBalance(address)).body)
  })

  test('error: 400 without an address or a token', async () => {
    const { status, body } = await service.rest.get(path)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_INPUT' })
  })

  test.each(['', '0x', '0x12', `${'0x'.padEnd(41, '0')}g`, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed'])(
    'error: 400 for %j',
    async (address) => {
      expect((await getBalance(address)).status).toBe(400)
    },
  )

  test('behavior: a deposit without a pin does not count but is listed', async () => {
    const { address } = await service.createWallet()
    await service.deposit(first, address, 9n)
    expect((await getBalance(address)).body.netBalance).toBe('0')
    const { deposits } = await getDeposits(address)
    expect(deposits).toContainEqual({
      network: first,
      balance: '9',
      available: '9',
      reserved: '0',
      exiting: '0',
      pinned: false,
    })
  })

  test('behavior: an exiting deposit does not count until the exit is cancelled', async () => {
    const { address } = await service.createFunded([first], 100n)
    const { smartBalance } = service.on(first)
    await service.callAs(first, address, smartBalance, encodeRequestExit(smartBalance, 30n).data)
    await service.finalize(first)
    expect((await getBalance(address)).body.netBalance).toBe('70')
    const [deposit] = (await getDeposits(address)).deposits
    const [, , readyAt] = await service.on(first).chain.readContract({
      address: smartBalance,
      abi: smartBalanceAbi,
      functionName: 'accounts',
      args: [address],
    })
    expect(deposit).toEqual({
      network: first,
      balance: '100',
      available: '70',
      reserved: '0',
      exiting: '30',
      exitReadyAt: new Date(readyAt * 1000).toISOString(),
      pinned: true,
    })
    await service.callAs(first, address, smartBalance, encodeCancelExit(smartBalance).data)
    await service.finalize(first)
    expect((await getBalance(address)).body.netBalance).toBe('100')
  })

  test('behavior: a reserved amount does not count', async () => {
    const { address } = await service.createFunded([first, second, third])
    const { body } = await service.solve({
      walletAddress: address,
      outputNetwork: third,
      amount: '150000000',
    })
    const total = 150_000_000n + BigInt(body.fee)
    expect((await getBalance(address)).body.netBalance).toBe(String(300_000_000n - total))
    const { deposits } = await getDeposits(address)
    expect(deposits.map(({ reserved }: { reserved: string }) => reserved)).toEqual([
      body.debits[0].amount,
      '0',
      '100000000',
    ])
  })
})

describe('deposits', () => {
  test('error: UNKNOWN_WALLET for an address without an account', async () => {
    const { status, body } = await service.rest.get(
      `/v3/smartbalance/deposits?walletAddress=${getAddress(`0x${'77'.repeat(20)}`)}`,
    )
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'UNKNOWN_WALLET' })
  })
})

// This test runs last because it changes the network's mining.
test('behavior: a deposit counts once it is final', async () => {
  const { address } = await service.createFunded([second], 10n)
  const { chain, smartBalance, settlementToken } = service.on(second)
  await service.mint(second, address, 5n)
  await chain.setAutomine(true) // mine a block with each transaction and no empty blocks
  for (const { to, data } of encodeDeposit({
    token: settlementToken.address,
    smartBalance,
    amount: 5n,
    decimals: settlementToken.decimals,
  })) {
    await service.callAs(second, address, to, data)
  }
  expect(await service.depositOf(second, address)).toBe(15n)
  expect((await getBalance(address)).body.balances[second]).toBe('10')
  await service.finalize(second)
  expect((await getBalance(address)).body.balances[second]).toBe('15')
})
