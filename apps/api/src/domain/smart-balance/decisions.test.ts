import { createNetworks } from '@lanyard/networks'
import {
  encodeClaim,
  encodeOrderMarker,
  encodeWithdraw,
  type PlanProblem,
  signerId,
} from '@lanyard/smart-balance'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { networkOf, settlementToken, smartBalance } from '../../../test/network.ts'
import { account, orderRow } from '../../../test/rows.ts'
import { availabilityOf, isPinned } from './ledger/availability.ts'
import type { Holding } from './ledger/holdings.ts'
import { requireAmount } from './ledger/plan-deposit.ts'
import { getSmartBalance, smartBalanceNetworks } from './model/get-smart-balance.ts'
import { planWith, toPlanError } from './quotes/plan-with.ts'
import { toSolution } from './quotes/solution.ts'
import { findCompeting, isUnsigned, isWaiting } from './quotes/spendable-balance.ts'
import { type AgreedTerms, parseTerms, serializeTerms, toTerms } from './quotes/terms.ts'

const holding = (changed: Partial<Holding> = {}): Holding => ({
  order_id: '0x0d',
  output_network: 1,
  nonce_key: 0n,
  nonce_sequence: 0n,
  state: 'RESERVED',
  expires_at: new Date(0),
  signed: false,
  held: true,
  nonceUsed: false,
  cosigned: 0n,
  debits: [],
  ...changed,
})
const debits = (amount: bigint, network = 2) => ({ debits: [{ network, amount }] })

describe('availabilityOf', () => {
  const available = (holdings: readonly Holding[], exiting = 0n) =>
    availabilityOf({ network: 2, balance: 100n, exiting }, holdings)

  test('default: the whole balance is available without orders', () => {
    expect(available([])).toEqual({ asSource: 100n, asOwn: 100n, reserved: 0n })
  })

  test('behavior: an exiting amount is not available', () => {
    expect(available([], 30n)).toEqual({ asSource: 70n, asOwn: 70n, reserved: 0n })
    expect(available([], 130n)).toEqual({ asSource: 0n, asOwn: 0n, reserved: 0n })
  })

  test('behavior: debits for orders on other networks add up', () => {
    const two = [holding(debits(10n)), holding({ ...debits(20n), nonce_key: 1n })]
    expect(available(two)).toEqual({ asSource: 70n, asOwn: 70n, reserved: 30n })
    // Debits on another network do not affect this one.
    expect(available([holding(debits(10n, 3))])).toEqual({ asSource: 100n, asOwn: 100n, reserved: 0n })
  })

  test('behavior: the largest debit counts for orders that share a nonce', () => {
    const competing = [debits(10n), debits(25n), debits(20n)].map((each) => holding(each))
    expect(available(competing)).toMatchObject({ asSource: 75n, reserved: 25n })
    const apart: Partial<Holding>[] = [{ output_network: 3 }, { nonce_key: 1n }, { nonce_sequence: 1n }]
    for (const other of apart)
      expect(available([holding(debits(10n)), holding({ ...debits(20n), ...other })])).toMatchObject({
        reserved: 30n,
      })
  })

  test('behavior: a released order has no debit, but its co-signature binds', () => {
    const released = holding({ ...debits(10n), held: false, cosigned: 40n, output_network: 2 })
    expect(available([released])).toEqual({ asSource: 60n, asOwn: 100n, reserved: 40n })
  })

  test("behavior: on its own network a co-signature counts from the order's submission", () => {
    const cosigned = (state: Holding['state']) => holding({ state, cosigned: 40n, output_network: 2 })
    for (const state of ['RESERVED', 'FAILED', 'EXPIRED'] as const)
      expect(available([cosigned(state)])).toEqual({ asSource: 60n, asOwn: 100n, reserved: 40n })
    for (const state of ['SUBMITTED', 'CLAIMED', 'ATTESTED', 'SETTLED'] as const)
      expect(available([cosigned(state)])).toEqual({ asSource: 60n, asOwn: 60n, reserved: 40n })
    // A co-signature on another network concerns another deposit.
    expect(available([holding({ state: 'SUBMITTED', cosigned: 40n, output_network: 3 })])).toMatchObject({
      asSource: 100n,
    })
  })

  test('behavior: the available amount is never below zero', () => {
    expect(
      available([holding({ ...debits(90n), cosigned: 40n, output_network: 2, state: 'SUBMITTED' })]),
    ).toEqual({
      asSource: 0n,
      asOwn: 0n,
      reserved: 130n,
    })
  })
})

test('isPinned', () => {
  expect(isPinned({ pinnedSigners: ['0x01', '0x02'] }, '0x02')).toBe(true)
  expect(isPinned({ pinnedSigners: ['0x01'] }, '0x02')).toBe(false)
})

test('isUnsigned, isWaiting: orders without a build, and orders that wait for their owner', () => {
  const candidates = [
    holding(),
    holding({ signed: true }),
    holding({ signed: true, state: 'SUBMITTED' }),
    holding({ signed: true, nonceUsed: true }),
  ]
  expect(candidates.map(isUnsigned)).toEqual([true, false, false, false])
  expect(candidates.map(isWaiting)).toEqual([false, true, false, false])
})

describe('findCompeting', () => {
  const at = (key: bigint, sequence = 0n, changed: Partial<Holding> = {}) =>
    holding({ signed: true, nonce_key: key, nonce_sequence: sequence, ...changed })

  test('default: the nonce of the newest waiting order on the same network', () => {
    expect(findCompeting([at(0n), at(1n, 4n), at(2n, 0n, { state: 'SUBMITTED' })], 1)).toEqual({
      key: 1n,
      sequence: 4n,
    })
    expect(findCompeting([at(0n)], 2)).toBeUndefined()
    expect(findCompeting([], 1)).toBeUndefined()
  })

  test('behavior: a used nonce does not compete, whether the order or the chain shows its use', () => {
    expect(findCompeting([at(0n, 3n, { nonceUsed: true })], 1)).toBeUndefined()
    expect(findCompeting([at(1n, 3n)], 1, [9n, 4n])).toBeUndefined()
    expect(findCompeting([at(1n, 3n)], 1, [9n, 3n])).toEqual({ key: 1n, sequence: 3n })
    expect(findCompeting([at(0n, 5n), at(1n, 3n)], 1, [5n, 4n])).toEqual({ key: 0n, sequence: 5n })
  })
})

const terms: AgreedTerms = {
  basisPoints: 100,
  gasBudget: 10n ** 15n,
  nativePrice: 2_000_000_000n,
  settlementFees: { 31338: 7n },
}

describe('terms', () => {
  test('toTerms: gas in the token, rounded up', () => {
    expect(toTerms(terms)).toEqual({
      basisPoints: 100,
      operationFee: 2_000_000n,
      settlementFees: { 31338: 7n },
    })
    expect(toTerms(terms, 1n).operationFee).toBe(1n)
    expect(toTerms(terms, 0n).operationFee).toBe(0n)
    expect(toTerms(terms, 10n ** 15n + 1n).operationFee).toBe(2_000_001n)
  })

  test('parseTerms: reads the output of serializeTerms', () => {
    expect(parseTerms(JSON.parse(serializeTerms(terms)))).toEqual(terms)
    for (const gasBudget of ['1x', 'x1', '-1', 1]) {
      const stored = { ...JSON.parse(serializeTerms(terms)), gasBudget }
      expect(() => parseTerms(stored)).toThrow()
    }
  })
})

describe('planWith', () => {
  const signer = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as const
  const deposits = [
    { network: 31337, available: 30n },
    { network: 31338, available: 10_000_000n },
  ]
  const balance = {
    outputNetwork: 31337,
    depositsOf: (id: string) => (id === signerId(signer) ? deposits : []),
    lendable: 1_000n,
    holdings: [],
    competing: undefined,
  }
  const request = { amount: 100n, type: 'AMOUNT_OUT' as const, signer }
  const chain = { liquidity: { amount: 1_000n, blockNumber: 1n, timestamp: 0 } }
  const free = { ...terms, gasBudget: 0n }

  test('default: a plan has the amount and the fee', () => {
    expect(planWith(request, balance, free, { ...chain, unavailable: [] })).toMatchObject({
      amount: 100n,
      fee: 8n,
    })
  })

  test('args: gasBudget raises the fee', () => {
    const { fee } = planWith({ ...request, gasBudget: 10n ** 15n }, balance, free, {
      ...chain,
      unavailable: [],
    })
    expect(fee).toBe(2_000_008n)
  })

  test('args: limit rejects a higher total, and type AMOUNT_IN includes the fee', () => {
    expect(() => planWith({ ...request, limit: 107n }, balance, free, { ...chain, unavailable: [] })).toThrow(
      expect.objectContaining({ code: 'LIMIT_BREACHED' }),
    )
    const plan = planWith({ ...request, amount: 108n, type: 'AMOUNT_IN' }, balance, free, {
      ...chain,
      unavailable: [],
    })
    expect(plan).toMatchObject({ amount: 100n, total: 108n })
  })

  test('error: INSUFFICIENT_LIQUIDITY names the hourly cap and the time of its reset', () => {
    const capped = { liquidity: { ...chain.liquidity, cappedUntil: 3_600 }, unavailable: [] }
    const resetsAt = '1970-01-01T01:00:00.000Z'
    expect(() =>
      planWith({ ...request, amount: 2_000n }, { ...balance, lendable: 1_000n }, free, capped),
    ).toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_LIQUIDITY',
        message: expect.stringContaining(resetsAt),
        details: expect.objectContaining({ resetsAt }),
      }),
    )
  })

  test('error: INSUFFICIENT_FUNDS for a signer without a pinned deposit', () => {
    const other = { ...request, signer: { ...signer, address: smartBalance } as const }
    expect(() => planWith(other, balance, free, { ...chain, unavailable: [31339] })).toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_FUNDS',
        details: { largest: '0', unavailable: [31339] },
      }),
    )
  })
})

describe('toPlanError', () => {
  test.each<[PlanProblem, string, object]>([
    [{ problem: 'INSUFFICIENT_FUNDS', largest: 5n }, 'INSUFFICIENT_FUNDS', { largest: '5' }],
    [
      { problem: 'INSUFFICIENT_LIQUIDITY', lendable: 5n, largest: 6n },
      'INSUFFICIENT_LIQUIDITY',
      { lendable: '5', largest: '6' },
    ],
    [{ problem: 'LIMIT', passes: 5n }, 'LIMIT_BREACHED', { limit: '5' }],
    [
      { problem: 'FEE_TOO_HIGH', fee: 5n, debits: 6n, highest: 7n },
      'AMOUNT_REFUSED',
      { fee: '5', highest: '7' },
    ],
    [{ problem: 'TOO_SMALL', smallest: 5n }, 'AMOUNT_REFUSED', { smallest: '5' }],
  ])('%o', (problem, code, details) => {
    const error = toPlanError(problem, { unavailable: [] })
    expect(error).toMatchObject({ code, message: expect.stringContaining('5') })
    expect(error.details).toEqual(details)
  })

  test('behavior: the error names unavailable networks', () => {
    const error = toPlanError({ problem: 'INSUFFICIENT_FUNDS', largest: 5n }, { unavailable: [1, 2] })
    expect(error.details).toEqual({ largest: '5', unavailable: [1, 2] })
    expect(error.message).toContain('do not answer: 1, 2.')
    const all = toPlanError({ problem: 'INSUFFICIENT_FUNDS', largest: 5n }, { unavailable: [] })
    expect(all.message).not.toContain('answer')
  })
})

test('requireAmount: above 0 and below 2^128', () => {
  for (const amount of [1n, 2n ** 128n - 1n]) expect(() => requireAmount(amount)).not.toThrow()
  for (const amount of [-1n, 0n, 2n ** 128n])
    expect(() => requireAmount(amount)).toThrow(expect.objectContaining({ code: 'AMOUNT_REFUSED' }))
})

describe('getSmartBalance', () => {
  test('default: a configured network has an address, a token and a scale', () => {
    const token = { address: settlementToken, symbol: 'USDC', decimals: 18 }
    expect(getSmartBalance(networkOf({ settlementToken: token }))).toEqual({
      address: smartBalance,
      token,
      scale: 10n ** 12n,
    })
  })

  test('error: NO_SMART_BALANCE without a configured contract', () => {
    const without = networkOf({ smartBalance: undefined, nativePrice: undefined })
    expect(() => getSmartBalance(without)).toThrow(
      expect.objectContaining({ code: 'NO_SMART_BALANCE', details: { network: 31337 } }),
    )
  })
})

test('smartBalanceNetworks: networks with a smart balance in ascending order', () => {
  const without = { smartBalance: undefined, nativePrice: undefined }
  const networks = createNetworks([
    networkOf({ chainId: 9 }).config,
    networkOf({ chainId: 4, ...without }).config,
    networkOf({ chainId: 2 }).config,
    networkOf({ chainId: 5 }).config,
  ])
  expect(smartBalanceNetworks(networks).map(({ chainId }) => chainId)).toEqual([2, 5, 9])
})

describe('toSolution', () => {
  const order = orderRow()
  const owed = [{ network: 31338, amount: 930n }] as unknown as Parameters<typeof toSolution>[2] // it reads no other fields
  const withdrawal = {
    to: getAddress(account),
    amount: 100n,
    fee: 5n,
    salt: `0x${'5a'.repeat(32)}`,
    deadline: 9,
    signature: `0x${'c0'.repeat(65)}`,
  } as const
  const call = (encodedData: string) => ({ encodedData, targetContractAddress: smartBalance })

  test('default: a solution has the claim and the withdrawal of its order', () => {
    expect(toSolution(networkOf(), order, owed, withdrawal)).toEqual({
      withdrawalPlan: { network: 31337, amount: '100' },
      tokenToClaim: { address: settlementToken, amount: '900' },
      transactions: {
        claim: call(encodeClaim(smartBalance, (2n << 64n) | 3n).data),
        withdrawal: call(encodeWithdraw(smartBalance, withdrawal).data),
      },
      signatures: {
        paymaster: encodeOrderMarker(smartBalance, `0x${'0d'.repeat(32)}`),
        withdrawal: withdrawal.signature,
      },
      orderId: order.order_id,
      debits: [{ network: 31338, amount: '930' }],
      fee: '30',
      gasBudget: '1000000000000000',
      expiresAt: order.expires_at.toISOString(),
    })
  })

  test('behavior: an order without a withdrawal or claim has empty calls', () => {
    const { transactions, signatures } = toSolution(
      networkOf(),
      orderRow({ claim_amount: 0n }),
      [],
      undefined,
    )
    expect(transactions).toEqual({ claim: call('0x'), withdrawal: call('0x') })
    expect(signatures.withdrawal).toBe('0x')
  })

  test('behavior: an order with debits must claim, even an amount of 0', () => {
    const claims = (changed: Parameters<typeof orderRow>[0], debited: typeof owed) =>
      toSolution(networkOf(), orderRow(changed), debited, undefined).transactions.claim.encodedData !== '0x'
    expect(claims({ claim_amount: 0n }, owed)).toBe(true)
    expect(claims({ claim_amount: 1n }, [])).toBe(true)
  })
})
