import { describe, expect, test } from 'vitest'
import { plan } from '../../test/solutions.ts'
import type { SolutionAmounts } from './read-solution.ts'
import { type AgreedPrice, verifyPrice } from './verify-price.ts'

const amounts: SolutionAmounts = {
  amount: plan.amount,
  fee: plan.fee,
  total: plan.total,
  claimAmount: plan.claimAmount,
  withdrawal: plan.withdrawal,
  debits: plan.debits.map(({ network, amount }) => ({ network, amount })),
}
const [first, second] = amounts.debits
if (!first || !second) throw new TypeError('The plan debits two networks')

const verify = (changed: Partial<SolutionAmounts> = {}, agreed: Partial<AgreedPrice> = { plan }) =>
  verifyPrice({ ...amounts, ...changed }, { request: { amount: '1000' }, ...agreed }, 'solution')
const rejection = (field: string, message = '') =>
  expect.objectContaining({ field: `solution.${field}`, message: expect.stringContaining(message) })

describe('verifyPrice', () => {
  test('default', () => {
    expect(() => verify()).not.toThrow()
    // the only fields that are read
    const quote = { amount: '1000', fee: '30', total: '1030' } as NonNullable<AgreedPrice['quote']>
    expect(() => verify({}, { quote })).not.toThrow()
    expect(() => verify({ fee: 31n }, { quote })).toThrow(rejection('fee', '31, but 30 was quoted'))
  })

  test.each<[string, Partial<SolutionAmounts>]>([
    ['fee', { fee: 31n }],
    ['total', { total: 1_031n }],
    ['claimAmount', { claimAmount: 901n }],
  ])('error: %s differs from the plan', (field, changed) => {
    expect(() => verify(changed)).toThrow(rejection(field, 'was planned'))
  })

  test.each<[string, SolutionAmounts['debits']]>([
    ['one fewer', [first]],
    ['one more', [first, second, { network: 31340, amount: 1n }]],
    ['none', []],
    ['on another network', [{ ...first, network: 31337 }, second]],
    ['with another amount', [first, { ...second, amount: 1n }]],
    ['in another order', [second, first]],
  ])('error: debits, %s', (_, debits) => {
    expect(() => verify({ debits })).toThrow(rejection('debits'))
  })

  test('args: limit, exact to the unit', () => {
    const out = (limit: string) => verify({}, { request: { amount: '1000', limit } })
    expect(() => out('1030')).not.toThrow()
    expect(() => out('1029')).toThrow(rejection('total', 'above the limit of 1029'))
    const into = (limit: string) => verify({}, { request: { amount: '1030', type: 'AMOUNT_IN', limit } })
    expect(() => into('1000')).not.toThrow()
    expect(() => into('1001')).toThrow(rejection('amount', 'below the limit of 1001'))
  })

  test('args: type', () => {
    expect(() => verify({}, { request: { amount: '1030', type: 'AMOUNT_OUT' } })).toThrow(rejection('amount'))
    expect(() => verify({}, { request: { amount: '1000', type: 'AMOUNT_IN' } })).toThrow(rejection('total'))
  })
})
