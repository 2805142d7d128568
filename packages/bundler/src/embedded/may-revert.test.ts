import { delegatedDeployment } from '@lanyard/accounts'
import { entryPointV07 } from '@lanyard/networks'
import { randomAddress } from '@lanyard/testing'
import { concat, type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { mayRevert } from './may-revert.ts'

const [own, other] = [randomAddress(), randomAddress()]
const safe = { paymasterAndData: '0x', signature: '0x' } as const
const eoa = { ...safe, entryPoint: delegatedDeployment.entryPoint }
const sponsored = (paymaster: Hex) => ({
  ...safe,
  paymasterAndData: concat([paymaster, pad('0x', { size: 32 })]),
})
const judge = (operation: Parameters<typeof mayRevert>[1]['operation'], more = {}) =>
  mayRevert(
    { entryPoint: entryPointV07, smartBalance: own },
    { operation, external: undefined, hasPaid: false, ...more },
  )

describe('mayRevert', () => {
  test('default: an account as this service deploys it, also with its own paymaster, shares with all others', () => {
    expect(judge(safe)).toBeUndefined()
    expect(judge(sponsored(own))).toBeUndefined()
  })

  test.each([
    [
      'foreign code, whatever it has paid',
      { external: 'handler', hasPaid: true },
      safe,
      'foreign code',
      true,
    ],
    ['a delegated EOA', {}, eoa, 'delegated', true],
    ['one that has paid', { hasPaid: true }, eoa, 'delegated', false],
    ['one that has failed', { failures: 1, hasPaid: true }, eoa, 'delegated', false],
  ] as const)('behavior: %s goes alone, inside the budget', (_, standing, operation, cause, isUnproven) => {
    expect(judge(operation, standing)).toEqual({ cause, group: undefined, isInBudget: true, isUnproven })
  })

  test('behavior: known code goes alone once it has reverted, and with its like once it has failed, outside the budget', () => {
    const known = { isInBudget: false, isUnproven: false }
    expect(judge(safe, { reverts: 1, failures: 1 })).toEqual({
      ...{ ...known, cause: 'has reverted', group: undefined },
    })
    expect(judge(sponsored(other), { failures: 1 })).toEqual({
      ...{ ...known, cause: 'has failed', group: 'has failed' },
    })
  })

  test('behavior: the operator vouches for a third-party paymaster, whose operations share', () => {
    expect(judge(sponsored(other))).toEqual({
      ...{ cause: 'paymaster', group: other.toLowerCase(), isInBudget: true, isUnproven: false },
    })
  })
})
