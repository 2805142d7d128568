import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { sessionWarnings } from './session-warnings.ts'
import type { SessionAction } from './use-session-history.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const shop = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const granted = {
  session: {
    validAfter: 0,
    validUntil: 1,
    maxOperations: 9,
    feePerOperation: 0n,
    paymaster: zeroAddress,
    rules: [],
    allowances: [{ token, period: 86_400, amount: 5n }],
  },
} as const

const action = (amounts: readonly string[], more: Partial<SessionAction> = {}): SessionAction => ({
  userOpHash: '0x',
  network: '1',
  state: 'included',
  success: true,
  final: true,
  signedAt: '2026-01-01T00:00:00.000Z',
  sender: shop,
  calls: [],
  spent: amounts.map((amount) => ({ token, amount, to: shop })),
  ...more,
})

test('default: ordinary use warns of nothing', () => {
  expect(sessionWarnings(granted, [action(['2']), action(['2']), action([], { success: false })])).toEqual([])
})

test('behavior: one operation that takes the whole allowance, in one part or in several', () => {
  expect(sessionWarnings(granted, [action(['5'])])).toEqual(['emptied-at-once'])
  expect(sessionWarnings(granted, [action(['2', '3'])])).toEqual(['emptied-at-once'])
})

test('behavior: three failures among the last ten', () => {
  const fails = [1, 2, 3].map(() => action([], { state: 'dropped', success: undefined }))
  expect(sessionWarnings(granted, fails)).toEqual(['fails-often'])
  expect(sessionWarnings(granted, [...Array(10).fill(action(['1'])), ...fails])).toEqual([])
})
