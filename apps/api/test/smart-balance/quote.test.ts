import { devRoles, localTransport } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { createWalletClient, encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OrderService, payee, startOrderService } from '../orders/order-service.ts'
import { receiptOf } from '../receipt-of.ts'

const [first, second, third] = [31337, 31338, 31339] as const

let service: OrderService
beforeAll(async () => {
  // A long block time prevents empty blocks, which would lower the gas price.
  service = await startOrderService({ blockTime: 3_600 })
})
afterAll(() => service[Symbol.asyncDispose]())

const quote = (body: object) => service.rest.post('/v3/smartbalance/getquote', body)
const terms = async (walletAddress: string, outputNetwork: number) =>
  (
    await service.rest.get(
      `/v3/smartbalance/terms?walletAddress=${walletAddress}&outputNetwork=${outputNetwork}`,
    )
  ).body

/** The sum of the debits of a solution. */
// biome-ignore lint/suspicious/noExplicitAny: the test checks single members of the answer
const totalOf = (solution: any) =>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  solution.debits.reduce((sum: bigint, { amount }: any) => sum + BigInt(amount), 0n)

describe('quote and solution', () => {
  test('default: total = amount + fee, and the fee follows from the terms', async () => {
    const { address } = await service.createFunded([first, second, third])
    const request = { walletAddress: address, outputNetwork: third, amount: '250000000' }
    const { status, body } = await quote(request)
    expect(status).toBe(200)
    const { basisPoints, operationFee, settlementFees } = await terms(address, third)
    const fee =
      (150_000_000n * BigInt(basisPoints)) / 10_000n +
      BigInt(operationFee) +
      BigInt(settlementFees[first]) +
      BigInt(settlementFees[second])
    expect(body).toEqual({
      quote: { amount: '250000000', fee: String(fee), total: String(250_000_000n + fee) },
    })
  })

  test('behavior: a solution costs exactly the quoted fee even if the gas price changes', async () => {
    const { address } = await service.createFunded([first, second, third])
    const request = { walletAddress: address, outputNetwork: third, amount: '250000000' }
    const { body: quoted } = await quote(request)
    for (const network of [first, second, third]) {
      await service.on(network).chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 5_000_000_000n })
      await service.on(network).chain.mine({ blocks: 1 })
    }
    const { body: solution } = await service.solve(request)
    expect(solution.fee).toBe(quoted.quote.fee)
    expect(totalOf(solution)).toBe(BigInt(quoted.quote.total) - 100_000_000n)
    expect((await quote(request)).body).toEqual(quoted)

    const other = await service.createFunded([first, second, third])
    const { body: higher } = await quote({ ...request, walletAddress: other.address })
    expect(BigInt(higher.quote.fee)).toBeGreaterThan(BigInt(quoted.quote.fee))
  })

  test('behavior: terms last a minute from the last quote', async () => {
    const { address } = await service.createFunded([first, third])
    const request = { walletAddress: address, outputNetwork: third, amount: '1000000' }
    const { body: quoted } = await quote(request)
    await service.on(third).chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 9_000_000_000n })
    await service.on(third).chain.mine({ blocks: 1 })
    // Fees that were read before the block are forgotten, too.
    service.advance(60_001)
    const { body: solution } = await service.solve(request)
    expect(BigInt(solution.fee)).toBeGreaterThan(BigInt(quoted.quote.fee))
  })

  test('behavior: the fee includes the gas budget', async () => {
    const { address } = await service.createFunded([first, third])
    const request = { walletAddress: address, outputNetwork: third, amount: '1000000' }
    const { body: solution } = await service.solve(request)
    const gasBudget = BigInt(solution.gasBudget) + 4_000_000_000_000_000n
    const { body: higher } = await service.solve({ ...request, gasBudget: String(gasBudget) })
    expect(higher.gasBudget).toBe(String(gasBudget))
    // 2,500 tokens per ether.
    expect(BigInt(higher.fee) - BigInt(solution.fee)).toBe(10_000_000n)
  })

  test.each([
    ['AMOUNT_OUT', 'total', 1n],
    ['AMOUNT_IN', 'amount', -1n],
  ] as const)(
    'args: a %s limit that is just met passes, one that is just missed fails',
    async (type, side, worse) => {
      const { address } = await service.createFunded([first, second, third])
      const request = { walletAddress: address, outputNetwork: second, amount: '200000000', type }
      const figure = BigInt((await quote(request)).body.quote[side])
      const met = { ...request, limit: String(figure) }
      const missed = { ...request, limit: String(figure - worse) }
      for (const ask of [quote, service.solve]) {
        expect((await ask(met)).status).toBe(200)
        const { status, body } = await ask(missed)
        expect({ status, code: body.code, limit: body.limit }).toEqual({
          status: 400,
          code: 'LIMIT_BREACHED',
          limit: String(figure),
        })
      }
    },
  )

  test('args: type AMOUNT_IN debits exactly the amount', async () => {
    const { address } = await service.createFunded([first, second, third])
    const request = { walletAddress: address, outputNetwork: first, amount: '300000000', type: 'AMOUNT_IN' }
    const { body: quoted } = await quote(request)
    expect(quoted.quote.total).toBe('300000000')
    expect(BigInt(quoted.quote.amount) + BigInt(quoted.quote.fee)).toBe(300_000_000n)
    const { body: solution } = await service.solve(request)
    expect(totalOf(solution)).toBe(200_000_000n)
    expect(solution.fee).toBe(quoted.quote.fee)
    expect(BigInt(solution.tokenToClaim.amount) + BigInt(solution.withdrawalPlan.amount)).toBe(
      BigInt(quoted.quote.amount),
    )
  })

  test("behavior: an amount from the account's own deposit has no basis points and no claim", async () => {
    const { address } = await service.createFunded([third])
    const { body } = await service.solve({ walletAddress: address, outputNetwork: third, amount: '50000000' })
    const { operationFee } = await terms(address, third)
    expect(body).toMatchObject({
      fee: operationFee,
      debits: [],
      withdrawalPlan: { network: third, amount: '50000000' },
      tokenToClaim: { amount: '0' },
      transactions: { claim: { encodedData: '0x' } },
    })
  })

  test('behavior: an order that borrows only its fee still calls the claim', async () => {
    const { address } = await service.createFunded([first, third])
    const { body } = await service.solve({
      walletAddress: address,
      outputNetwork: third,
      amount: '100000000',
    })
    expect(body.tokenToClaim.amount).toBe('0')
    expect(body.debits).toEqual([{ network: first, amount: body.fee }])
    expect(body.transactions.claim.encodedData).not.toBe('0x')
  })

  test('behavior: an account without a deployment or deposit on the output network has no withdrawal', async () => {
    const { address } = await service.createFunded([first])
    const { body } = await service.solve({ walletAddress: address, outputNetwork: third, amount: '50000000' })
    expect(body.withdrawalPlan.amount).toBe('0')
    expect(body.transactions.withdrawal.encodedData).toBe('0x')
    expect(body.signatures.withdrawal).toBe('0x')
  })
})

describe('refusals by both quote and solution', () => {
  const rejected = async (request: object, code: string, details: object = {}) => {
    for (const ask of [quote, service.solve]) {
      const { status, body } = await ask(request)
      expect({ status, code: body.code }).toEqual({ status: 400, code })
      expect(body).toMatchObject(details)
    }
  }

  test('error: INVALID_INPUT names each missing field', async () => {
    for (const ask of [quote, service.solve]) {
      const { status, body } = await ask({})
      expect(status).toBe(400)
      expect(body.issues.map(({ path }: { path: string }) => path).toSorted()).toEqual([
        'amount',
        'outputNetwork',
        'walletAddress',
      ])
    }
  })

  test.each([
    { amount: '-1' },
    { amount: '1.5' },
    { type: 'BOTH' },
    { limit: 'x' },
    { walletAddress: '0x12' },
  ])('error: INVALID_INPUT for %j', async (wrong) => {
    const { address } = await service.createWallet()
    await rejected({ walletAddress: address, outputNetwork: first, amount: '1', ...wrong }, 'INVALID_INPUT')
  })

  test('error: UNKNOWN_WALLET for an address without an account', () =>
    rejected({ walletAddress: `0x${'66'.repeat(20)}`, outputNetwork: first, amount: '1' }, 'UNKNOWN_WALLET'))

  test('error: UNKNOWN_NETWORK for a network that is not configured', async () => {
    const { address } = await service.createWallet()
    await rejected({ walletAddress: address, outputNetwork: 5, amount: '1' }, 'UNKNOWN_NETWORK')
  })

  test('error: AMOUNT_REFUSED for an amount of 0', async () => {
    const { address } = await service.createFunded([first])
    await rejected({ walletAddress: address, outputNetwork: second, amount: '0' }, 'AMOUNT_REFUSED')
    // Nothing is read for it.
    await rejected({ walletAddress: payee, outputNetwork: second, amount: '0' }, 'AMOUNT_REFUSED')
  })

  test('error: INSUFFICIENT_FUNDS with the largest amount that passes', async () => {
    const { address } = await service.createFunded([first, second])
    const request = { walletAddress: address, outputNetwork: third }
    await rejected({ ...request, amount: '200000000' }, 'INSUFFICIENT_FUNDS')
    const { body } = await quote({ ...request, amount: '200000000' })
    await rejected({ ...request, amount: String(BigInt(body.largest) + 1n) }, 'INSUFFICIENT_FUNDS')
    expect((await service.solve({ ...request, amount: body.largest })).status).toBe(200)
  })

  test('error: INSUFFICIENT_FUNDS without a pinned owner', async () => {
    const { address } = await service.createWallet()
    await service.deposit(first, address, 100_000_000n)
    await rejected({ walletAddress: address, outputNetwork: second, amount: '1000000' }, 'INSUFFICIENT_FUNDS')
    // A deposit on the output network needs no pin because the account withdraws it itself.
    expect((await quote({ walletAddress: address, outputNetwork: first, amount: '1000000' })).status).toBe(
      200,
    )
  })

  test('error: AMOUNT_REFUSED if gas costs more than SmartBalance lets an order charge', async () => {
    const { address } = await service.createFunded([first], 1_000_000_000n)
    const { status, body } = await service.solve({
      walletAddress: address,
      outputNetwork: second,
      amount: '1000000',
      gasBudget: String(10n ** 17n),
    })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'AMOUNT_REFUSED' })
  })
})

describe('liquidity', () => {
  /** The hourly cap of local networks at the start, equal to their liquidity. */
  const cap = 1_000_000_000_000n
  const asOwner = async (network: number, data: `0x${string}`) => {
    const { chain, rpcUrl, smartBalance } = service.on(network)
    const wallet = createWalletClient({
      account: privateKeyToAccount(devRoles.owner.privateKey),
      transport: localTransport(rpcUrl),
    })
    const hash = await wallet.sendTransaction({ chain: null, to: smartBalance, data })
    await receiptOf(chain, hash)
    await service.finalize(network)
  }
  const setCap = (limit: bigint) =>
    asOwner(
      second,
      encodeFunctionData({ abi: smartBalanceAbi, functionName: 'setOutflowCap', args: [limit] }),
    )
  const setPaused = (paused: boolean) =>
    asOwner(second, encodeFunctionData({ abi: smartBalanceAbi, functionName: 'setPaused', args: [paused] }))

  test('error: INSUFFICIENT_LIQUIDITY above the hourly cap', async () => {
    const { address } = await service.createFunded([first])
    const request = { walletAddress: address, outputNetwork: second }
    const held = cap - BigInt((await terms(address, second)).lendable)
    await setCap(held + 40_000_000n)
    try {
      expect((await terms(address, second)).lendable).toBe('40000000')
      const { status, body } = await service.solve({ ...request, amount: '40000001' })
      expect({ status, code: body.code, lendable: body.lendable }).toEqual({
        status: 400,
        code: 'INSUFFICIENT_LIQUIDITY',
        lendable: '40000000',
      })
      expect((await service.solve({ ...request, amount: '40000000' })).status).toBe(200)
      const other = await service.createFunded([first])
      const { body: none } = await service.solve({
        walletAddress: other.address,
        outputNetwork: second,
        amount: '1',
      })
      expect(none).toMatchObject({ code: 'INSUFFICIENT_LIQUIDITY', lendable: '0' })
      // A newer reservation replaces the account's own.
      expect((await service.solve({ ...request, amount: '39000000' })).status).toBe(200)
    } finally {
      await setCap(cap)
    }
  })

  test('error: INSUFFICIENT_LIQUIDITY while new orders are paused', async () => {
    const { address } = await service.createFunded([first])
    await setPaused(true)
    try {
      const { status, body } = await quote({ walletAddress: address, outputNetwork: second, amount: '1' })
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'INSUFFICIENT_LIQUIDITY' })
    } finally {
      await setPaused(false)
    }
  })
})
