import { operationStates } from '@lanyard/contracts'
import { describe, expect, test } from 'vitest'
import { outcomeOf } from './operation-outcome.ts'

describe('outcomeOf', () => {
  const hash = `0x${'ab'.repeat(32)}` as const

  test('default', () => {
    expect(outcomeOf({ state: 'included', success: true, txnHash: hash })).toMatchObject({
      kind: 'included',
      txnHash: hash,
    })
  })

  test('behavior: returns the reason of a revert', () => {
    const reason = { code: 'EXECUTION_REVERTED', message: 'Paused()' }
    expect(outcomeOf({ state: 'included', success: false, txnHash: hash, reason })).toMatchObject({
      kind: 'reverted',
      reason: 'The contract says: Paused().',
    })
  })

  test.each(operationStates)('behavior: knows whether %s is final', (state) => {
    const onItsWay = ['built', 'submitting', 'submitted'].includes(state)
    expect(outcomeOf({ state }) === undefined).toBe(onItsWay)
  })
})
