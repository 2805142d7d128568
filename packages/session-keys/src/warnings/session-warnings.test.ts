import { expect, test } from 'vitest'
import { type SessionAction, sessionWarnings } from './session-warnings.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const session = { allowances: [{ token, period: 86_400, amount: 5n }] } as const

const action = (amounts: readonly string[], more: Partial<SessionAction> = {}): SessionAction => ({
  ...{ state: 'included', success: true },
  spent: amounts.map((amount) => ({ token, amount })),
  ...more,
})

test('default: ordinary use warns of nothing', () => {
  expect(sessionWarnings(session, [action(['2']), action(['2']), action([], { success: false })])).toEqual([])
})

test('behavior: one operation that takes the whole allowance, in one part or in several', () => {
  expect(sessionWarnings(session, [action(['5'])])).toEqual(['emptied-at-once'])
  expect(sessionWarnings(session, [action(['2', '3'])])).toEqual(['emptied-at-once'])
})

test('behavior: three failures among the last ten', () => {
  const fails = [1, 2, 3].map(() => action([], { state: 'dropped', success: undefined }))
  expect(sessionWarnings(session, fails)).toEqual(['fails-often'])
  expect(sessionWarnings(session, [...Array(10).fill(action(['1'])), ...fails])).toEqual([])
})
