import { describe, expect, test } from 'vitest'
import { isSponsorship } from '../order/order.ts'
import type { PlanInput } from './plan.ts'
import { planOrder } from './plan-order.ts'

const input: PlanInput = {
  outputNetwork: 1,
  amount: 100n,
  type: 'AMOUNT_OUT',
  deposits: [
    { network: 1, available: 30n },
    { network: 2, available: 40n },
    { network: 3, available: 200n },
  ],
  lendable: 1_000n,
  terms: { basisPoints: 100, operationFee: 5n, settlementFees: { 2: 2n, 3: 2n } },
}
const plan = (changed: Partial<PlanInput> = {}) => planOrder({ ...input, ...changed })
const only = (available: bigint) => ({ deposits: [{ network: 1, available }] })

describe('planOrder', () => {
  test('default', () => {
    expect(plan()).toEqual({
      ok: true,
      plan: {
        amount: 100n,
        fee: 8n, // 1 % of 70, rounded up; the operation fee; one settlement fee
        total: 108n,
        withdrawal: { amount: 30n, fee: 0n },
        claimAmount: 70n,
        debits: [{ network: 3, amount: 78n, failFee: 5n }],
      },
    })
  })

  test('behavior: debits the largest deposits first, and lists them by ascending chain id', () => {
    const deposits = [
      { network: 7, available: 50n },
      { network: 9, available: 60n },
      { network: 5, available: 50n },
    ]
    const terms = { basisPoints: 0, operationFee: 90n, settlementFees: { 5: 0n, 7: 0n, 9: 0n } }
    expect(plan({ deposits, terms, amount: 10n })).toMatchObject({
      plan: {
        debits: [
          { network: 5, amount: 40n, failFee: 40n },
          { network: 9, amount: 60n, failFee: 50n },
        ],
      },
    })
  })

  test('behavior: a plan paid only from the output network is a sponsorship, without basis points', () => {
    const result = plan(only(105n))
    expect(result).toMatchObject({
      plan: { fee: 5n, withdrawal: { amount: 100n, fee: 5n }, claimAmount: 0n, debits: [] },
    })
    expect(result.ok && isSponsorship(result.plan)).toBe(true)
  })

  test('behavior: handles a plan that borrows only the fee', () => {
    const deposits = [
      { network: 1, available: 104n },
      { network: 2, available: 40n },
    ]
    const result = plan({ deposits })
    expect(result).toMatchObject({
      plan: {
        fee: 7n,
        withdrawal: { amount: 100n, fee: 4n },
        claimAmount: 0n,
        debits: [{ network: 2, amount: 3n, failFee: 3n }],
      },
    })
    expect(result.ok && isSponsorship(result.plan)).toBe(false)
  })

  test('args: type AMOUNT_IN', () => {
    expect(plan({ type: 'AMOUNT_IN', amount: 108n })).toEqual(plan())
    // 1 % of 170 is 2: 208 gives 199 + 9, and 209 gives 200 + 9. A unit remains where the basis points round
    // up.
    const odd = plan({ type: 'AMOUNT_IN', amount: 109n })
    expect(odd).toMatchObject({ plan: { amount: 101n, fee: 8n, total: 109n } })
    expect(plan({ type: 'AMOUNT_IN', amount: 139n })).toMatchObject({ plan: { amount: 130n, fee: 9n } })
    expect(plan({ type: 'AMOUNT_IN', amount: 138n })).toMatchObject({ plan: { amount: 130n, fee: 8n } })
  })

  test('behavior: AMOUNT_IN does not use a network that costs more than it adds', () => {
    const terms = { ...input.terms, basisPoints: 0, operationFee: 0n, settlementFees: { 2: 10n, 3: 10n } }
    const deposits = [
      { network: 2, available: 100n },
      { network: 3, available: 50n },
    ]
    const within = { terms, deposits, type: 'AMOUNT_IN' } as const
    expect(plan({ ...within, amount: 100n })).toMatchObject({ plan: { amount: 90n, fee: 10n } })
    expect(plan({ ...within, amount: 105n })).toMatchObject({
      plan: { amount: 90n, fee: 15n, debits: [{ amount: 100n }, { amount: 5n }] },
    })
    expect(plan({ ...within, amount: 111n })).toMatchObject({ plan: { amount: 91n, fee: 20n } })
  })

  test('behavior: deposits below their settlement fee are used only for an AMOUNT_IN of everything', () => {
    const dusty = {
      deposits: [
        { network: 1, available: 30n },
        { network: 2, available: 2n },
        { network: 3, available: 200n },
      ],
    }
    expect(plan({ ...dusty, amount: 222n })).toMatchObject({ ok: false, problem: 'INSUFFICIENT_FUNDS' })
    expect(plan({ ...dusty, type: 'AMOUNT_IN', amount: 230n })).toMatchObject({
      plan: { amount: 221n, debits: [{ network: 3 }] },
    })
    expect(plan({ ...dusty, type: 'AMOUNT_IN', amount: 232n })).toMatchObject({
      plan: { amount: 221n, fee: 11n, debits: [{ network: 2, amount: 2n }, { network: 3 }] },
    })
  })

  test('behavior: a network without a settlement fee is not a source', () => {
    const terms = { ...input.terms, settlementFees: { 2: 2n } }
    expect(plan({ terms })).toMatchObject({ problem: 'INSUFFICIENT_FUNDS', largest: 62n })
  })

  test('behavior: a deposit that its settlement fee consumes is not a source, even if it is the largest', () => {
    const terms = { basisPoints: 0, operationFee: 0n, settlementFees: { 2: 10n, 3: 0n } }
    const deposits = [
      { network: 2, available: 10n },
      { network: 3, available: 9n },
    ]
    expect(plan({ terms, deposits, amount: 5n })).toMatchObject({
      plan: { fee: 0n, debits: [{ network: 3, amount: 5n }] },
    })
  })

  test('behavior: a negative deposit counts as zero', () => {
    const deposits = [
      { network: 1, available: -5n },
      { network: 2, available: -5n },
      { network: 3, available: 200n },
    ]
    expect(plan({ deposits, amount: 100n })).toMatchObject({
      plan: { fee: 8n, withdrawal: { amount: 0n, fee: 0n }, claimAmount: 100n, debits: [{ amount: 108n }] },
    })
    expect(plan({ deposits, type: 'AMOUNT_IN', amount: 200n })).toMatchObject({ plan: { total: 200n } })
  })

  test('behavior: an order has at most 255 debits, the maximum of its count byte', () => {
    const networks = Array.from({ length: 300 }, (_, index) => index + 2)
    const deposits = networks.map((network) => ({ network, available: 2n }))
    const feesOf = (fee: bigint) => Object.fromEntries(networks.map((network) => [network, fee]))
    const free = { basisPoints: 0, operationFee: 0n, settlementFees: feesOf(0n) }
    expect(plan({ deposits, terms: free, amount: 510n })).toMatchObject({ ok: true })
    expect(plan({ deposits, terms: free, amount: 511n })).toMatchObject({
      problem: 'INSUFFICIENT_FUNDS',
      largest: 510n,
    })
    // There are 250 networks worth debiting and 50 that are not, of which five fit.
    const dear = { ...free, settlementFees: { ...free.settlementFees } }
    for (const network of networks.slice(250)) dear.settlementFees[network] = 2n
    const all = plan({ deposits, terms: dear, type: 'AMOUNT_IN', amount: 510n })
    expect(all).toMatchObject({ plan: { amount: 500n, fee: 10n } })
    expect(all.ok && all.plan.debits).toHaveLength(255)
    expect(plan({ deposits, terms: dear, type: 'AMOUNT_IN', amount: 511n })).toMatchObject({
      problem: 'INSUFFICIENT_FUNDS',
      largest: 510n,
    })
  })

  test('behavior: failFees are bounded by MAX_FLAT_FEE', () => {
    const terms = { basisPoints: 0, operationFee: 100_000_001n, settlementFees: { 3: 0n } }
    const deposits = [{ network: 3, available: 10n ** 12n }]
    expect(plan({ terms, deposits, amount: 1_000n, lendable: 10n ** 9n })).toMatchObject({
      plan: { debits: [{ amount: 100_001_001n, failFee: 100_000_000n }] },
    })
  })

  test('error: INSUFFICIENT_FUNDS, by one unit', () => {
    expect(plan({ amount: 259n })).toMatchObject({ ok: false, problem: 'INSUFFICIENT_FUNDS', largest: 258n })
    expect(plan({ amount: 258n })).toMatchObject({ ok: true, plan: { total: 270n } })
    expect(plan({ type: 'AMOUNT_IN', amount: 271n })).toMatchObject({
      problem: 'INSUFFICIENT_FUNDS',
      largest: 270n,
    })
    expect(plan(only(5n))).toMatchObject({ problem: 'INSUFFICIENT_FUNDS', largest: 0n })
    expect(plan({ ...only(5n), type: 'AMOUNT_IN', amount: 5n })).toMatchObject({
      problem: 'INSUFFICIENT_FUNDS',
      largest: 0n,
    })
  })

  test('error: INSUFFICIENT_LIQUIDITY, by one unit', () => {
    expect(plan({ lendable: 70n })).toMatchObject({ ok: true })
    expect(plan({ lendable: 69n })).toEqual({
      ok: false,
      problem: 'INSUFFICIENT_LIQUIDITY',
      lendable: 69n,
      largest: 99n,
    })
    const totalIn = { type: 'AMOUNT_IN', lendable: 69n } as const
    expect(plan({ ...totalIn, amount: 108n })).toMatchObject({ largest: 107n })
    expect(plan({ ...totalIn, amount: 107n })).toMatchObject({ ok: true })
    expect(plan({ lendable: -1n, amount: 31n })).toMatchObject({ lendable: 0n, largest: 30n })
  })

  test('error: LIMIT, by one unit', () => {
    expect(plan({ limit: 108n })).toMatchObject({ ok: true })
    expect(plan({ limit: 107n })).toEqual({ ok: false, problem: 'LIMIT', passes: 108n })
    const totalIn = { type: 'AMOUNT_IN', amount: 108n } as const
    expect(plan({ ...totalIn, limit: 100n })).toMatchObject({ ok: true })
    expect(plan({ ...totalIn, limit: 101n })).toEqual({ ok: false, problem: 'LIMIT', passes: 100n })
  })

  test('error: FEE_TOO_HIGH', () => {
    const flat = (operationFee: bigint) => ({
      terms: { basisPoints: 0, operationFee, settlementFees: { 3: 0n } },
      deposits: [{ network: 3, available: 10n ** 12n }],
    })
    expect(plan(flat(100_000_001n))).toMatchObject({ ok: true })
    expect(plan(flat(100_000_002n))).toMatchObject({
      ok: false,
      problem: 'FEE_TOO_HIGH',
      fee: 100_000_002n,
      debits: 100_000_102n,
      highest: 100_000_101n,
    })
  })

  test('error: TOO_SMALL', () => {
    expect(plan({ amount: 0n })).toEqual({ ok: false, problem: 'TOO_SMALL', smallest: 1n })
    expect(plan({ type: 'AMOUNT_IN', amount: 5n })).toEqual({ ok: false, problem: 'TOO_SMALL', smallest: 6n })
    expect(plan({ type: 'AMOUNT_IN', amount: 6n })).toMatchObject({ plan: { amount: 1n } })
    expect(plan({ type: 'AMOUNT_IN', amount: -1n })).toMatchObject({ problem: 'TOO_SMALL' })
  })

  test('error: DUPLICATE', () => {
    const deposits = [...input.deposits, { network: 2, available: 1n }]
    expect(() => plan({ deposits })).toThrow(expect.objectContaining({ code: 'DUPLICATE' }))
  })
})
