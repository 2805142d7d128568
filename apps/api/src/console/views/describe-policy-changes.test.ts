import { expect, test } from 'vitest'
import { policiesFile } from '../../domain/gas-policies/gas-policy.ts'
import { describePolicyChanges } from './describe-policy-changes.ts'

const parse = (...policies: object[]) => policiesFile.parse({ policies }).policies
const day = { day: { wei: '1000000000000000000' } }

test('default: what is new, what ends and what differs, in words', () => {
  const before = parse(
    { id: 'gone', budgets: day },
    { id: 'shop', networks: [1, 8453], accounts: [`0x${'ab'.repeat(20)}`], budgets: day },
  )
  const after = parse(
    {
      ...{ id: 'shop', networks: [8453], anyBundler: true },
      budgets: { day: { wei: '2500000000000000000' }, account: { day: { operations: 3 } } },
    },
    { id: 'blocked', effect: 'deny', users: ['Mallory'] },
  )
  expect(describePolicyChanges(before, after)).toEqual([
    'gone ends: it paid.',
    'shop: networks: 8453, instead of 1, 8453.',
    `shop: accounts: any, instead of 0x${'ab'.repeat(20)}.`,
    'shop: cost for all accounts in a day: 2.5 coins, instead of 1 coin.',
    'shop: operations through other bundlers: allowed, instead of not allowed.',
    'shop: operations for each account in a day: 3, instead of no limit.',
    'blocked is new: it denies.',
    'blocked: users: mallory.',
  ])
})

test('behavior: the order alone is a change, and the same policies are none', () => {
  const [one, two] = [
    { id: 'one', budgets: day },
    { id: 'two', budgets: day },
  ]
  expect(describePolicyChanges(parse(one, two), parse(two, one))).toEqual([
    'The order is two, one: the first that matches pays.',
  ])
  expect(describePolicyChanges(parse(one, two), parse(one, two))).toEqual([])
})
