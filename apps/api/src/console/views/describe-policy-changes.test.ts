import { createNetworks, networkConfig } from '@lanyard/networks'
import { expect, test } from 'vitest'
import { policiesFile } from '../../domain/gas-policies/gas-policy.ts'
import { describePolicyChanges, findPolicyChanges, wordsOf } from './describe-policy-changes.ts'

const parse = (...policies: object[]) => policiesFile.parse({ policies }).policies
const rpcUrls = ['http://127.0.0.1:9']
const wordsFor = (...names: readonly (readonly [chainId: number, name: string])[]) =>
  wordsOf(createNetworks(names.map(([chainId, name]) => networkConfig.parse({ chainId, name, rpcUrls }))))
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
    'blocked is new, as number 2 of 2: it denies.',
    'blocked: users: "mallory".',
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

test('behavior: without a charge there is no token, not any token', () => {
  const charged = parse({ id: 'shop', charge: { token: 'USDC', markup: 5 }, budgets: day })
  const free = parse({ id: 'shop', budgets: day })
  expect(describePolicyChanges(charged, free)).toEqual([
    'shop: token for the gas: none, instead of USDC.',
    'shop: markup, percent: none, instead of 5.',
  ])
})

test('behavior: a new policy says where it is', () => {
  const [one, two] = [
    { id: 'one', budgets: day },
    { id: 'two', budgets: day },
  ]
  expect(describePolicyChanges(parse(one), parse(two, one))[0]).toBe('two is new, as number 1 of 2: it pays.')
  expect(describePolicyChanges(parse(one), parse(one, two))[0]).toBe('two is new, as number 2 of 2: it pays.')
  expect(findPolicyChanges(parse(one), parse(two, one))).toMatchObject([{ kind: 'new', position: 1 }])
})

test('behavior: networks with one name, or with the number of another as their name, are told apart', () => {
  const on = (...networks: number[]) => parse({ id: 'shop', networks, budgets: day })
  expect(describePolicyChanges(on(1), on(2), wordsFor([1, 'Main'], [2, 'Main']))).toEqual([
    'shop: networks: Main (2), instead of Main (1).',
  ])
  expect(describePolicyChanges(on(1), on(1, 5), wordsFor([1, '5']))).toEqual([
    'shop: networks: 5 (1), 5, instead of 5 (1).',
  ])
})

test('behavior: what people chose as a text is told apart from the words of the form', () => {
  const of = (conditions: object) => parse({ id: 'shop', budgets: day, ...conditions })
  expect(describePolicyChanges(of({ apiKeys: ['any'] }), of({}))).toEqual([
    'shop: API keys: any, instead of "any".',
  ])
  expect(describePolicyChanges(of({ apiKeys: ['a,b'] }), of({ apiKeys: ['a', 'b'] }))).toEqual([
    'shop: API keys: "a", "b", instead of "a,b".',
  ])
  expect(describePolicyChanges(of({}), of({ description: 'none.\nother is new: "it pays"' }))).toEqual([
    'shop: description: "none.\\nother is new: \\"it pays\\"", instead of none.',
  ])
})
