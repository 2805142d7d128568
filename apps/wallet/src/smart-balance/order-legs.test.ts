import { describe, expect, test } from 'vitest'
import { isFinished, legsOf, type Order, stateOfOrder } from './order-legs.ts'

const txnHash = `0x${'ab'.repeat(32)}` as const
const debit = (network: number, state: Order['debits'][number]['state']): Order['debits'][number] => ({
  network,
  amount: '100',
  state,
  ...(state === 'SETTLED' && { txnHash }),
})
const order = (state: Order['state'], ...debits: Order['debits']) => ({
  state,
  debits,
  outputNetwork: 3,
  txnHash: undefined,
})
const states = (shown: Parameters<typeof legsOf>[0]) => legsOf(shown).map(({ state }) => state)

describe('legsOf', () => {
  test('default', () => {
    expect(legsOf(order('SETTLED', debit(1, 'SETTLED')))).toEqual([
      { kind: 'arrival', state: 'done', text: 'Arrived', chainId: 3, txnHash: undefined },
      { kind: 'attestation', state: 'done', text: 'Confirmed' },
      { kind: 'debit', state: 'done', text: 'Collected', chainId: 1, amount: 100n, txnHash },
    ])
  })

  test.each<[Order['state'], Order['debits'][number]['state'], readonly string[]]>([
    ['RESERVED', 'RESERVED', ['waiting', 'waiting', 'waiting']],
    ['SUBMITTED', 'RESERVED', ['active', 'waiting', 'waiting']],
    ['CLAIMED', 'RESERVED', ['done', 'active', 'waiting']],
    ['ATTESTED', 'DUE', ['done', 'done', 'active']],
    ['SETTLED', 'LOST', ['done', 'done', 'skipped']],
    ['FAILED', 'RESERVED', ['failed', 'active', 'waiting']],
    ['EXPIRED', 'RESERVED', ['failed', 'skipped', 'skipped']],
    ['EXPIRED', 'RELEASED', ['failed', 'skipped', 'skipped']],
  ])('behavior: %s with a debit %s', (state, debitState, expected) => {
    expect(states(order(state, debit(1, debitState)))).toEqual(expected)
  })

  test('behavior: needs no confirmation if paid only from the same network', () => {
    expect(states(order('CLAIMED'))).toEqual(['done'])
  })
})

describe('stateOfOrder', () => {
  test('default', () => {
    expect(stateOfOrder(order('ATTESTED', debit(1, 'SETTLED'), debit(2, 'SETTLED')))).toBe('SETTLED')
  })

  test('behavior: not settled while a deposit may still be debited, or after a failure', () => {
    expect(stateOfOrder(order('ATTESTED', debit(1, 'SETTLED'), debit(2, 'DUE')))).toBe('ATTESTED')
    expect(stateOfOrder(order('FAILED', debit(1, 'SETTLED')))).toBe('FAILED')
    expect(stateOfOrder(order('CLAIMED'))).toBe('CLAIMED')
  })
})

describe('isFinished', () => {
  test('default', () => {
    expect(isFinished(order('SETTLED', debit(1, 'SETTLED'), debit(2, 'LOST')))).toBe(true)
    expect(isFinished(order('EXPIRED', debit(1, 'RELEASED')))).toBe(true)
    expect(isFinished(order('CLAIMED'))).toBe(true)
  })

  test('behavior: not finished while a deposit may still be debited', () => {
    expect(isFinished(order('ATTESTED', debit(1, 'SETTLED'), debit(2, 'DUE')))).toBe(false)
    expect(isFinished(order('ATTESTED', debit(1, 'SETTLED'), debit(2, 'PARTIAL')))).toBe(false)
    expect(isFinished(order('RESERVED'))).toBe(false)
    expect(isFinished(order('SUBMITTED', debit(1, 'RESERVED')))).toBe(false)
  })
})
