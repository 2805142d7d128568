import { expect, test } from 'vitest'
import { exitStateOf } from './exit-state.ts'
import type { Deposit } from './use-deposits.ts'

const exitReadyAt = '2026-01-08T00:00:00.000Z'
const deposit: Deposit = {
  chainId: 1,
  balance: 10n,
  available: 5n,
  reserved: 0n,
  exiting: 5n,
  exitReadyAt,
  pinned: true,
}

test('default', () => {
  expect(exitStateOf(deposit, Date.parse(exitReadyAt) - 1)).toEqual({
    kind: 'waiting',
    amount: 5n,
    readyAt: exitReadyAt,
  })
})

test('behavior: is ready from exactly that time', () => {
  expect(exitStateOf(deposit, Date.parse(exitReadyAt)).kind).toBe('ready')
})

test('behavior: none', () => {
  expect(exitStateOf({ ...deposit, exiting: 0n, exitReadyAt: undefined }, 0)).toEqual({ kind: 'none' })
})
