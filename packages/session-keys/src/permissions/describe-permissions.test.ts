import { type Address, type Hex, toFunctionSelector, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Session, SessionRule } from '../session/session.ts'
import { compilePermissions } from './compile-permissions.ts'
import { describePermissions, functionsOf } from './describe-permissions.ts'
import type { Permission } from './permission.ts'

const token: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const alice: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const game: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const native = { symbol: 'ETH', decimals: 18 }
const tokens = [{ address: token, symbol: 'USDC', decimals: 6 }]

function describeAll(permissions: Permission[], terms: object = {}, paymaster?: Address) {
  const result = compilePermissions(permissions, {
    validAfter: 1_800_000_000,
    validUntil: 1_800_086_400,
    ...(paymaster === undefined ? {} : { paymaster }),
  })
  if (!result.ok) throw new TypeError(JSON.stringify(result.problems))
  return describePermissions(result.session, { native, functions: functionsOf(permissions), ...terms })
}

describe('describePermissions', () => {
  test('default', () => {
    const lines = describeAll(
      [
        { type: 'native-token-allowance', allowance: '1000000000000000000', period: 86_400, to: [alice] },
        { type: 'erc20-token-allowance', token, allowance: '100000000', period: 7_200, to: [alice] },
        { type: 'contract-call', target: game, functions: ['play(uint256)', '0x12345678'], maxValue: '1' },
        { type: 'gas-fee-allowance', allowance: '100000000000000000', operations: 10 },
      ],
      { tokens },
    )
    expect(lines).toEqual([
      'From 2027-01-15T08:00:00Z until 2027-01-16T08:00:00Z.',
      `Up to 1 ETH every day: send to ${alice}, or send along with calls.`,
      `Up to 100 USDC every 2 hours: send to ${alice}, or let ${alice} take it in the same operation.`,
      `Call play(uint256) on ${game} with any arguments, sending at most 0.000000000000000001 ETH per call.`,
      `Call 0x12345678 on ${game} with any arguments, sending at most 0.000000000000000001 ETH per call.`,
      'At most 10 operations, with fees of at most 0.01 ETH each, 0.1 ETH in total.',
    ])
  })

  test('behavior: each function is parsed once, however many there are', () => {
    const functions = [...Array(1_000).fill('f()'), ...Array.from({ length: 31 }, (_, n) => `g${n}()`)]
    let looks = 0
    const counted = new Proxy(functions, {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks++
        return Reflect.get(target, key, receiver)
      },
    })
    const permissions: Permission[] = [
      { type: 'contract-call', target: game, functions: functions.slice(-31) },
      { type: 'gas-fee-allowance', allowance: '1000' },
    ]
    expect(describeAll(permissions, { functions: counted })[31]).toContain('g30()')
    expect(looks).toBe(functions.length)
  })

  test('behavior: if two functions share a selector, the first one wins', () => {
    const permissions: Permission[] = [
      { type: 'contract-call', target: game, functions: ['play(uint)'] },
      { type: 'gas-fee-allowance', allowance: '1000' },
    ]
    expect(describeAll(permissions, { functions: ['play(uint)', 'play(uint256)'] })[1]).toContain(
      'play(uint) ',
    )
  })

  test('behavior: states what has no limit', () => {
    const lines = describeAll(
      [
        { type: 'native-token-allowance', allowance: '5' },
        { type: 'contract-call', target: token, functions: ['transfer(address,uint256)'] },
      ],
      { tokens },
      alice,
    )
    expect(lines).toContain('Up to 0.000000000000000005 ETH in total: send to anyone.')
    expect(lines).toContain(
      `Call transfer(address,uint256) on USDC (${token}) with any arguments, without a limit on amounts.`,
    )
    expect(lines.at(-1)).toBe(
      `At most 100 operations, without fees for the account; ${alice} may pay instead.`,
    )
  })

  test('behavior: shows an unknown token in base units', () => {
    const lines = describeAll([
      { type: 'erc20-token-allowance', token, allowance: '100' },
      { type: 'gas-fee-allowance', allowance: '1', operations: 1 },
    ])
    expect(lines).toContain(`Up to 100 base units of ${token} in total: send to anyone.`)
    expect(lines.at(-1)).toContain('At most 1 operation,')
  })

  test('behavior: lists each recipient and spender once', () => {
    const bob: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
    const lines = describeAll(
      [
        { type: 'erc20-token-allowance', token, allowance: '1000000', to: [alice, bob] },
        { type: 'gas-fee-allowance', allowance: '1', operations: 1 },
      ],
      { tokens },
    )
    expect(lines[1]).toBe(
      `Up to 1 USDC in total: send to ${alice}, ${bob}, or let ${alice}, ${bob} take it in the same operation.`,
    )
  })

  test('behavior: a token with an allowance is counted, others are not', () => {
    const other = { address: game, symbol: 'GAME', decimals: 0 }
    const lines = describeAll(
      [
        { type: 'erc20-token-allowance', token, allowance: '1000000' },
        { type: 'contract-call', target: game, functions: ['play(uint256)'] },
        { type: 'gas-fee-allowance', allowance: '1', operations: 1 },
      ],
      { tokens: [...tokens, other], functions: undefined },
    )
    expect(lines.slice(1, 3)).toEqual([
      'Up to 1 USDC in total: send to anyone.',
      `Call ${toFunctionSelector('play(uint256)')} on GAME (${game}) with any arguments, without a limit on amounts.`,
    ])
  })

  // Sessions that compilePermissions never makes, but that a service could still ask an owner to sign.
  const session: Session = {
    validAfter: 0,
    validUntil: 2 ** 48 - 1,
    maxOperations: 1,
    feePerOperation: 0n,
    paymaster: zeroAddress,
    rules: [],
    allowances: [],
  }
  const tokenRule = (selector: Hex): SessionRule => ({
    kind: 'token',
    target: token,
    selector,
    counterparty: alice,
    maxValue: 0n,
  })
  const describeSession = (changed: Partial<Session>) =>
    describePermissions({ ...session, ...changed }, { native, tokens })

  test('behavior: forever', () => {
    expect(describeSession({})[0]).toBe('From 1970-01-01T00:00:00Z until forever.')
    expect(describeSession({ validUntil: 8_640_000_000_000 })[0]).toContain('until +275760-09-13T00:00:00Z')
  })

  test('behavior: describes an allowance that no rule uses', () => {
    expect(describeSession({ allowances: [{ token, amount: 1n, period: 0 }] })).toContain(
      'Up to 0.000001 USDC in total, but no rule uses it.',
    )
  })

  test('behavior: describes allowances with only spenders or only transferFrom', () => {
    const allowances = [{ token, amount: 1n, period: 60 }]
    const approve = tokenRule(toFunctionSelector('approve(address,uint256)'))
    expect(describeSession({ allowances, rules: [approve] })).toContain(
      `Up to 0.000001 USDC every minute: let ${alice} take it in the same operation.`,
    )
    const transferFrom = tokenRule(toFunctionSelector('transferFrom(address,address,uint256)'))
    expect(describeSession({ allowances, rules: [transferFrom] })).toContain(
      `Up to 0.000001 USDC every minute: send to ${alice} by transferFrom.`,
    )
  })

  test('behavior: a call of the token does not use its allowance', () => {
    const rules: SessionRule[] = [{ ...tokenRule('0x12345678'), kind: 'call' }]
    const lines = describeSession({ allowances: [{ token, amount: 1n, period: 0 }], rules })
    expect(lines[1]).toBe('Up to 0.000001 USDC in total, but no rule uses it.')
    expect(lines[2]).toBe(`Call 0x12345678 on USDC (${token}) with any arguments.`)
  })

  test('behavior: a call of a token is limited only if that token has an allowance', () => {
    const rules: SessionRule[] = [{ ...tokenRule('0x12345678'), kind: 'call' }]
    const call = `Call 0x12345678 on USDC (${token}) with any arguments`
    const amounts = { amount: 1n, period: 0 }
    expect(describeSession({ rules })).toContain(`${call}, without a limit on amounts.`)
    for (const other of [zeroAddress, game])
      expect(describeSession({ rules, allowances: [{ ...amounts, token: other }] })).toContain(
        `${call}, without a limit on amounts.`,
      )
    const both = [
      { ...amounts, token: game },
      { ...amounts, token },
    ]
    expect(describeSession({ rules, allowances: both })).toContain(`${call}.`)
  })

  test('behavior: describes a rule with a lower limit than its allowance', () => {
    const rule = (maxValue: bigint): SessionRule => ({
      kind: 'native',
      target: alice,
      selector: '0x00000000',
      counterparty: zeroAddress,
      maxValue,
    })
    const allowances = [{ token: zeroAddress, amount: 10n ** 18n, period: 3_661 }]
    expect(describeSession({ allowances, rules: [rule(10n ** 17n)] })[1]).toBe(
      `Up to 1 ETH every 3661 seconds: send to ${alice} (at most 0.1 ETH per call).`,
    )
    expect(describeSession({ allowances, rules: [rule(10n ** 18n)] })[1]).toBe(
      `Up to 1 ETH every 3661 seconds: send to ${alice}.`,
    )
  })
})

test('functionsOf: returns the signatures in permissions', () => {
  expect(
    functionsOf([
      { type: 'contract-call', target: game, functions: ['play(uint256)', '0x12345678', 'x0x()'] },
      { type: 'native-token-allowance', allowance: '1' },
    ]),
  ).toEqual(['play(uint256)', 'x0x()'])
})
