import type { Call } from '@lanyard/accounts'
import { encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { policiesFile } from './gas-policy.ts'
import { choosePolicy, findMismatch, type SponsoredRequest } from './match-policies.ts'

const account = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const other = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512'
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [account, 1n] })
const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [account, 1n] })
const call = (to: string, data: Hex = '0x'): Call => ({ to: getAddress(to), value: 0n, data })

const budgets = { day: { wei: '1' } }
const policiesOf = (...given: readonly object[]) =>
  policiesFile.parse({
    policies: given.map((one, index) => ({
      id: `p${index}`,
      ...('effect' in one ? {} : { budgets }),
      ...one,
    })),
  }).policies

const request: SponsoredRequest = {
  network: 8453,
  account,
  accountKind: 'safe',
  user: 'alice',
  apiKey: 'public:web',
  calls: [call(token, transfer)],
  at: new Date('2026-06-01T00:00:00Z'),
}
const conditionOf = (given: object, more: Partial<SponsoredRequest> = {}) => {
  const [policy] = policiesOf(given)
  if (!policy) throw new TypeError('There is no policy')
  return findMismatch(policy, { ...request, ...more })?.condition
}

describe('charge', () => {
  test('default: the request says who pays, and a policy never changes that', () => {
    const charging = { charge: { token: 'USDC' } }
    expect(conditionOf(charging, { feeToken: 'USDC' })).toBeUndefined()
    expect(conditionOf(charging, { feeToken: 'USDT' })).toBe('charge')
    expect(conditionOf(charging)).toBe('charge')
    expect(conditionOf({}, { feeToken: 'USDC' })).toBe('charge')
    expect(conditionOf({})).toBeUndefined()
    // A policy that denies does not look at the payer.
    expect(conditionOf({ effect: 'deny' }, { feeToken: 'USDC' })).toBeUndefined()
  })
})

describe('findMismatch', () => {
  test.each<[object, object, string]>([
    [{ networks: [8453, 10] }, { networks: [10] }, 'networks'],
    [{ apiKeys: ['public:web'] }, { apiKeys: ['web'] }, 'apiKeys'],
    [{ accounts: [getAddress(account)] }, { accounts: [token] }, 'accounts'],
    [{ accountKinds: ['safe', 'eip7702'] }, { accountKinds: ['eip7702'] }, 'accountKinds'],
    [{ users: ['Alice'] }, { users: ['bob'] }, 'users'],
    [{ validFrom: '2026-06-01T00:00:00Z' }, { validFrom: '2026-06-01T00:00:01Z' }, 'validity'],
    [{ validUntil: '2026-06-01T00:00:01Z' }, { validUntil: '2026-06-01T00:00:00Z' }, 'validity'],
    [{ calls: [{ contract: token }] }, { calls: [{ contract: other }] }, 'calls'],
    [
      { calls: [{ functions: ['transfer(address,uint256)'] }] },
      { calls: [{ functions: ['approve(address,uint256)'] }] },
      'calls',
    ],
  ])('args: %j applies, %j does not', (applies, doesNot, condition) => {
    expect(conditionOf(applies)).toBeUndefined()
    expect(conditionOf(doesNot)).toBe(condition)
    // All conditions must hold: one that fails is enough for a mismatch.
    expect(conditionOf({ ...applies, ...doesNot })).toBe(condition)
  })

  test('behavior: a caller without a user or key name, and an unknown account, match no list', () => {
    expect(conditionOf({ accountKinds: ['safe'] }, { accountKind: undefined })).toBe('accountKinds')
    expect(conditionOf({ users: ['alice'] }, { user: undefined })).toBe('users')
    expect(conditionOf({ apiKeys: ['web'] }, { apiKey: '' })).toBe('apiKeys')
  })

  describe('calls', () => {
    const rules = {
      calls: [{ contract: token, functions: ['transfer(address,uint256)'] }, { contract: other }],
    }
    const deny = { effect: 'deny', ...rules }

    test.each<[string, readonly Call[] | undefined, boolean, boolean]>([
      ['an allowed call', [call(token, transfer)], true, true],
      ['two allowed calls', [call(token, transfer), call(other, approve)], true, true],
      ['a plain transfer to a contract without functions', [call(other)], true, true],
      ['another function', [call(token, approve)], false, false],
      ['no function', [call(token)], false, false],
      ['three bytes', [call(token, '0xa9059c')], false, false],
      [
        'a call that is not allowed after an allowed one',
        [call(token, transfer), call(token, approve)],
        false,
        true,
      ],
      ['no call', [], false, false],
      ['the account itself', [call(account, transfer)], false, false],
      ['the account itself after an allowed call', [call(token, transfer), call(account)], false, true],
      ['unreadable call data', undefined, false, true],
    ])('behavior: rules match %s as expected', (_, calls, isPaid, isDenied) => {
      expect(conditionOf(rules, { calls }) === undefined).toBe(isPaid)
      expect(conditionOf(deny, { calls }) === undefined).toBe(isDenied)
    })

    test('behavior: no rule matches a call of the account to itself', () => {
      const self = [call(account, transfer)]
      expect(conditionOf({ calls: [{ contract: account }] }, { calls: self })).toBe('calls')
      const anywhere = { calls: [{ functions: ['transfer(address,uint256)'] }] }
      expect(conditionOf(anywhere, { calls: self })).toBe('calls')
      expect(conditionOf(anywhere, { calls: [call(other, transfer)] })).toBeUndefined()
    })

    test('behavior: 0x is a call without data', () => {
      expect(conditionOf({ calls: [{ functions: ['0x'] }] }, { calls: [call(other)] })).toBeUndefined()
      expect(conditionOf({ calls: [{ functions: ['0x'] }] }, { calls: [call(other, '0x00')] })).toBe('calls')
    })
  })
})

describe('choosePolicy', () => {
  test('default: the first matching policy pays', () => {
    const policies = policiesOf({ networks: [10] }, {}, {})
    const { paying, denying, verdicts } = choosePolicy(policies, request)
    expect(paying?.id).toBe('p1')
    expect(denying).toBeUndefined()
    expect(verdicts.map(({ mismatch }) => mismatch?.condition)).toEqual(['networks', undefined, undefined])
  })

  test('behavior: a matching deny policy wins at any position', () => {
    const deny = { effect: 'deny', accounts: [account] }
    for (const policies of [policiesOf(deny, {}), policiesOf({}, deny)]) {
      const { paying, denying } = choosePolicy(policies, request)
      expect(paying).toBeUndefined()
      expect(denying?.effect).toBe('deny')
    }
    expect(choosePolicy(policiesOf(deny, {}), { ...request, account: other }).paying?.id).toBe('p1')
  })

  test('behavior: without policies there is no sponsorship', () => {
    expect(choosePolicy([], request)).toEqual({ verdicts: [] })
  })
})
