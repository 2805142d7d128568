import { toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { describeIssue } from '../../platform/errors/describe-issue.ts'
import { policiesFile } from './gas-policy.ts'

const budgets = { day: { wei: '1000' } }
const parse = (...policies: readonly object[]) =>
  policiesFile.safeParse({ policies }, { error: describeIssue })
const problemsOf = (...policies: readonly object[]) =>
  parse(...policies).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

describe('charge', () => {
  const chargeOf = (charge: object) => {
    const [policy] = parse({ id: 'tokens', budgets, charge }).data?.policies ?? []
    return policy?.effect === 'allow' ? policy.charge : undefined
  }

  test('default: a markup of 0 percent, no bounds of the price', () => {
    expect(chargeOf({ token: 'USDC' })).toEqual({ token: 'USDC', markup: 0 })
    expect(chargeOf({ token: 'USDC', markup: 2.35, price: { min: '1000', max: '9999.5' } })).toEqual({
      ...{ token: 'USDC', markup: 2.35, price: { min: '1000', max: '9999.5' } },
    })
  })

  test('error: markups, prices, and a paymaster beside it', () => {
    for (const charge of [
      { token: 'USDC', markup: 2.345 },
      { token: 'USDC', markup: 101 },
      { token: 'USDC', markup: -1 },
      { token: 'USDC', price: { min: '1' } },
      { token: 'USDC', price: { min: '-1', max: '2' } },
    ])
      expect(problemsOf({ id: 'tokens', budgets, charge })).toHaveLength(1)
    const paymaster = { url: 'https://paymaster.example/{chainId}' }
    expect(problemsOf({ id: 'tokens', budgets, charge: { token: 'USDC' }, paymaster })).toEqual([
      'policies.0.charge: Our own paymaster takes tokens: remove paymaster, or charge',
    ])
  })
})

describe('policiesFile', () => {
  test('default: policies are parsed into numbers and selectors', () => {
    const selector = toFunctionSelector('transfer(address,uint256)')
    expect(parse({ id: 'one', budgets }).data).toEqual({
      policies: [
        {
          ...{ id: 'one', effect: 'allow', budgets: { day: { wei: 1000n } } },
          ...{ callGas: 1_000_000, anyBundler: false },
        },
      ],
    })
    expect(
      parse({
        id: 'two',
        budgets,
        users: ['Alice'],
        accounts: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
        calls: [{ functions: ['transfer(address,uint256)', 'transfer(address,uint)', '0xA9059CBB', '0x'] }],
        validUntil: '2027-01-01T00:00:00Z',
      }).data?.policies[0],
    ).toMatchObject({
      users: new Set(['alice']),
      accounts: new Set(['0x70997970c51812dc3a010c7d01b50e0d17dc79c8']),
      calls: [{ functions: new Set([selector, '0x']) }],
      validUntil: new Date('2027-01-01T00:00:00Z'),
    })
    expect(parse({ id: 'none', effect: 'deny' }).data?.policies).toEqual([{ id: 'none', effect: 'deny' }])
  })

  test.each([
    ['no budget for all accounts together', {}, 'policies.0.budgets: Limit what all accounts'],
    ['a budget per account only', { account: { day: { wei: '1' } } }, 'policies.0.budgets: Limit'],
    ['a limit of operations without a price limit', { day: { operations: 5 } }, 'policies.0.budgets: Limit'],
    ['an empty limit', { day: {}, total: { wei: '1' } }, 'policies.0.budgets.day: Expected wei'],
    ['a number of wei', { day: { wei: 5 } }, 'policies.0.budgets.day.wei: Expected a decimal string'],
    ['a fraction', { day: { wei: '0.5' } }, 'policies.0.budgets.day.wei: Expected a whole number of wei'],
  ])('error: %s', (_, given, problem) => {
    expect(problemsOf({ id: 'one', budgets: given })).toEqual([expect.stringContaining(problem)])
  })

  test('behavior: a limit per operation and a total count bound all spending', () => {
    expect(parse({ id: 'one', budgets: { operation: '7', total: { operations: 5 } } }).success).toBe(true)
    expect(parse({ id: 'one', budgets: { operation: '7', day: { operations: 5 } } }).success).toBe(true)
  })

  test.each([
    ['an unknown member', { budget: {} }, 'policies.0: There is no member "budget"'],
    ['an id with capitals', { id: 'One' }, 'policies.0.id: Expected lower-case'],
    ['another effect', { effect: 'maybe' }, 'policies.0.effect: Expected allow or deny'],
    ['an empty list of accounts', { accounts: [] }, 'policies.0.accounts: Expected at least one'],
    ['a mistyped account', { accounts: ['0x70997970c51812dc3A010C7d01b50e0d17dc79C8'] }, 'ERC-55'],
    ['an empty rule', { calls: [{}] }, 'policies.0.calls.0: Expected contract'],
    ['no function', { calls: [{ functions: ['transfer'] }] }, 'calls.0.functions.0: Expected a signature'],
    [
      'an unknown type',
      { calls: [{ functions: ['f(addres)'] }] },
      'calls.0.functions.0: Expected a signature',
    ],
    ['a date', { validFrom: '2026-01-31' }, 'policies.0.validFrom: Expected a time'],
    [
      'an end before the start',
      { validFrom: '2026-02-01T00:00:00Z', validUntil: '2026-01-01T00:00:00Z' },
      'policies.0.validUntil: It ends',
    ],
    ['a URL for all networks', { paymaster: { url: 'https://p.example' } }, 'policies.0.paymaster.url: Name'],
    [
      'an invalid URL',
      { paymaster: { url: 'p.example' }, networks: [1] },
      'policies.0.paymaster.url: Expected',
    ],
  ])('error: %s', (_, given, problem) => {
    expect(problemsOf({ id: 'one', budgets, ...given })).toEqual([expect.stringContaining(problem)])
  })

  test('error: two policies with the same id, and a deny policy with a budget', () => {
    expect(problemsOf({ id: 'one', budgets }, { id: 'one', budgets })).toEqual([
      'policies.1.id: one is the id of an earlier policy',
    ])
    expect(problemsOf({ id: 'one', effect: 'deny', budgets })).toEqual([
      'policies.0: There is no member "budgets"',
    ])
  })
})
