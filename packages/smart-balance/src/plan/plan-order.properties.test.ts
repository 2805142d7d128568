import { numericSeed } from '@lanyard/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkOrderBounds } from '../order/order.ts'
import { maximumSpendable } from './maximum-spendable.ts'
import type { PlanResult } from './plan.ts'
import { planOrder, toDebits } from './plan-order.ts'

fc.configureGlobal({ seed: numericSeed })

const small = (max: number) => fc.integer({ min: 0, max }).map(BigInt)
const settlementFees = fc
  .tuple(small(12), small(12), small(12), small(12))
  .map((fees): Record<string, bigint> => Object.fromEntries(fees.map((fee, index) => [index + 1, fee])))
const fixture = fc.record({
  outputNetwork: fc.constant(2),
  deposits: fc
    .tuple(small(60), small(60), small(60), small(60))
    .map((all) => all.map((available, index) => ({ network: index + 1, available })))
    .chain((all) => fc.shuffledSubarray(all)),
  lendable: small(220),
  terms: fc.record({
    basisPoints: fc.constantFrom(0, 1, 50, 100, 5_000),
    operationFee: small(15),
    settlementFees,
  }),
})

describe('planOrder, properties', () => {
  const type = fc.constantFrom('AMOUNT_OUT' as const, 'AMOUNT_IN' as const)

  test('behavior: amounts add up, and never exceed the deposits', () => {
    fc.assert(
      fc.property(fixture, type, small(260), (given, type, amount) => {
        const result = planOrder({ ...given, type, amount })
        if (!result.ok) return
        const { plan } = result
        const owed = plan.debits.reduce((sum, debit) => sum + debit.amount, 0n)
        expect(plan.total).toBe(plan.amount + plan.fee)
        expect(type === 'AMOUNT_OUT' ? plan.amount : plan.total).toBe(amount)
        expect(plan.withdrawal.amount + plan.claimAmount).toBe(plan.amount)
        expect(plan.withdrawal.amount + plan.withdrawal.fee + owed).toBe(plan.total)
        expect(owed).toBe(plan.claimAmount + plan.fee - plan.withdrawal.fee)
        expect(plan.claimAmount <= given.lendable).toBe(true)
        expect(checkOrderBounds({ claimAmount: plan.claimAmount, debits: toDebits(plan.debits) }).ok).toBe(
          true,
        )
        const availableOn = (network: number) =>
          given.deposits.find((deposit) => deposit.network === network)?.available ?? 0n
        for (const debit of plan.debits) {
          expect(debit.network).not.toBe(given.outputNetwork)
          expect(debit.amount > 0n && debit.amount <= availableOn(debit.network)).toBe(true)
        }
        expect(plan.withdrawal.amount + plan.withdrawal.fee <= availableOn(given.outputNetwork)).toBe(true)
        // The deposit on the output network comes first: nothing is borrowed while some of it is left.
        if (owed > 0n)
          expect(plan.withdrawal.amount + plan.withdrawal.fee).toBe(availableOn(given.outputNetwork))
        const failFees = plan.debits.reduce((sum, debit) => sum + debit.failFee, 0n)
        expect(failFees).toBe(owed < given.terms.operationFee ? owed : given.terms.operationFee)
      }),
      { numRuns: 2_000 },
    )
  })

  test('behavior: AMOUNT_IN gives the largest amount whose total fits, by exhaustive search', () => {
    fc.assert(
      fc.property(fixture, small(260), (given, total) => {
        const rich = { ...given, lendable: 1_000n }
        let largest = 0n
        for (let amount = 1n; amount <= total; amount++) {
          const out = planOrder({ ...rich, type: 'AMOUNT_OUT', amount })
          if (out.ok && out.plan.total <= total) largest = amount
        }
        const result = planOrder({ ...rich, type: 'AMOUNT_IN', amount: total })
        if (result.ok) expect(result.plan.amount).toBe(largest)
        else if (result.problem === 'TOO_SMALL') expect(largest).toBe(0n)
        else {
          const all = given.deposits.reduce((sum, { available }) => sum + available, 0n)
          expect(result.problem).toBe('INSUFFICIENT_FUNDS')
          expect(total > all || largest === 0n).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('behavior: the total of an AMOUNT_OUT gives the same plan as AMOUNT_IN', () => {
    fc.assert(
      fc.property(fixture, small(260), (given, amount) => {
        const out = planOrder({ ...given, type: 'AMOUNT_OUT', amount })
        if (out.ok) expect(planOrder({ ...given, type: 'AMOUNT_IN', amount: out.plan.total })).toEqual(out)
      }),
      { numRuns: 1_000 },
    )
  })

  test('behavior: the fee includes a settlement fee only for the debited networks', () => {
    fc.assert(
      fc.property(fixture, small(260), (given, amount) => {
        const out = planOrder({ ...given, type: 'AMOUNT_OUT', amount })
        if (!out.ok) return
        const { claimAmount, fee, debits } = out.plan
        const points = (claimAmount * BigInt(given.terms.basisPoints) + 9_999n) / 10_000n
        const settlements = debits.reduce(
          (sum, { network }) => sum + (given.terms.settlementFees[network] ?? 0n),
          0n,
        )
        expect(fee).toBe(points + given.terms.operationFee + settlements)
      }),
      { numRuns: 1_000 },
    )
  })

  test('behavior: the order of the deposits does not matter', () => {
    fc.assert(
      fc.property(fixture, type, small(260), fc.nat(), (given, type, amount, rotation) => {
        const { deposits } = given
        const by = deposits.length === 0 ? 0 : rotation % deposits.length
        const rotated = [...deposits.slice(by), ...deposits.slice(0, by)]
        const result: PlanResult = planOrder({ ...given, type, amount })
        expect(planOrder({ ...given, type, amount, deposits: rotated })).toEqual(result)
        expect(planOrder({ ...given, type, amount, deposits: rotated.toReversed() })).toEqual(result)
      }),
    )
  })

  test('behavior: rejections return the closest values that are accepted', () => {
    fc.assert(
      fc.property(fixture, type, small(400), small(400), (given, type, amount, limit) => {
        const request = { ...given, type, amount, limit }
        const result = planOrder(request)
        if (result.ok) return
        if (result.problem === 'LIMIT') {
          const other = type === 'AMOUNT_OUT' ? -1n : 1n
          expect(planOrder({ ...request, limit: result.passes })).toMatchObject({ ok: true })
          expect(planOrder({ ...request, limit: result.passes + other })).toMatchObject({ problem: 'LIMIT' })
        } else if ('largest' in result) {
          expect(result.largest < amount).toBe(true)
          const unlimited = { ...given, type }
          if (result.largest > 0n)
            expect(planOrder({ ...unlimited, amount: result.largest })).toMatchObject({ ok: true })
          expect(planOrder({ ...unlimited, amount: result.largest + 1n })).toMatchObject({ ok: false })
        } else if (result.problem === 'TOO_SMALL' && result.smallest > 1n) {
          expect(planOrder({ ...request, amount: result.smallest - 1n })).toMatchObject({ ok: false })
          expect(planOrder({ ...request, amount: result.smallest, limit: undefined })).not.toMatchObject({
            problem: 'TOO_SMALL',
          })
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('behavior: maximumSpendable is the largest amount of either type, by exhaustive search', () => {
    fc.assert(
      fc.property(fixture, type, (given, request) => {
        let largest = 0n
        for (let amount = 1n; amount <= 260n; amount++)
          if (planOrder({ ...given, type: request, amount }).ok) largest = amount
        expect(maximumSpendable(given, request)).toBe(largest)
      }),
      { numRuns: 200 },
    )
  })
})
