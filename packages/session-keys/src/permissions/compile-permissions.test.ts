import { type Address, toFunctionSelector, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { compilePermissions } from './compile-permissions.ts'
import type { Permission } from './permission.ts'

const token: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const alice: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const bob: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const game: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const options = { validAfter: 100, validUntil: 200 }
const fees: Permission = { type: 'gas-fee-allowance', allowance: '1000', operations: 10 }
const native: Permission = { type: 'native-token-allowance', allowance: '5', to: [] }
const numbered = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const call = (overrides: object = {}): Permission => ({
  type: 'contract-call',
  target: game,
  functions: ['play(uint256)'],
  ...overrides,
})

function sessionOf(...permissions: Permission[]) {
  const result = compilePermissions([...permissions, fees], options)
  if (!result.ok) throw new TypeError(JSON.stringify(result.problems))
  return result.session
}

/** Permissions are external input, so tests pass values that the types forbid. */
function problemsOf(permissions: unknown, overrides: object = {}) {
  const result = compilePermissions(permissions as Permission[], { ...options, ...overrides })
  return result.ok ? [] : result.problems.map(({ path }) => path)
}

describe('compilePermissions', () => {
  test('default', () => {
    expect(sessionOf(call())).toEqual({
      validAfter: 100,
      validUntil: 200,
      maxOperations: 10,
      feePerOperation: 100n,
      paymaster: zeroAddress,
      rules: [
        {
          kind: 'call',
          target: game,
          selector: toFunctionSelector('play(uint256)'),
          counterparty: zeroAddress,
          maxValue: 0n,
        },
      ],
      allowances: [],
    })
  })

  test('args: native-token-allowance', () => {
    const anyone = sessionOf({ type: 'native-token-allowance', allowance: '7', period: 60 })
    expect(anyone.rules).toEqual([
      {
        kind: 'native',
        target: zeroAddress,
        selector: '0x00000000',
        counterparty: zeroAddress,
        maxValue: 7n,
      },
    ])
    expect(anyone.allowances).toEqual([{ token: zeroAddress, amount: 7n, period: 60 }])
    const named = sessionOf({ type: 'native-token-allowance', allowance: '7', to: [alice, bob] })
    expect(named.rules).toMatchObject([{ target: alice }, { target: bob }])
    expect(named.allowances).toMatchObject([{ period: 0 }])
    // Above a rule's limit for one call, though not above the total.
    const much = sessionOf({ type: 'native-token-allowance', allowance: (2n ** 100n).toString() })
    expect(much.rules).toMatchObject([{ maxValue: 2n ** 96n - 1n }])
  })

  test('args: erc20-token-allowance', () => {
    const transfer = toFunctionSelector('transfer(address,uint256)')
    const approve = toFunctionSelector('approve(address,uint256)')
    const anyone = sessionOf({ type: 'erc20-token-allowance', token, allowance: '9' })
    expect(anyone.rules).toMatchObject([{ kind: 'token', selector: transfer, counterparty: zeroAddress }])
    const named = sessionOf({ type: 'erc20-token-allowance', token, allowance: '9', to: [alice] })
    expect(named.rules).toMatchObject([
      { target: token, selector: transfer, counterparty: alice },
      { target: token, selector: approve, counterparty: alice },
    ])
    expect(named.allowances).toEqual([{ token, amount: 9n, period: 0 }])
  })

  test('behavior: allows several tokens, each with its own allowance', () => {
    const other = { type: 'erc20-token-allowance' as const, token: game, allowance: '8' }
    const { allowances } = sessionOf(
      native,
      { ...other, token, allowance: '9' },
      other,
      call({ target: bob }),
    )
    expect(allowances.map((allowance) => allowance.token)).toEqual([zeroAddress, token, game])
  })

  test('behavior: allows calls to several contracts, and to a token without an allowance', () => {
    const other = { type: 'erc20-token-allowance' as const, token, allowance: '9' }
    expect(sessionOf(other, call(), call({ target: bob })).rules).toHaveLength(3)
    expect(sessionOf({ ...native, to: [game] }, call()).rules).toHaveLength(2)
  })

  test('behavior: treats all ways of writing a zero value alike', () => {
    expect(sessionOf(call({ maxValue: '0' })).rules).toMatchObject([{ maxValue: 0n }])
  })

  test('behavior: defaults to 100 operations', () => {
    const without: Permission = { type: 'gas-fee-allowance', allowance: '1000' }
    const result = compilePermissions([call(), without], options)
    expect(result).toMatchObject({ session: { maxOperations: 100, feePerOperation: 10n } })
  })

  test('behavior: accepts the largest values', () => {
    const functions = (count: number) => Array.from({ length: count }, (_, n) => `f${n}()`)
    expect(sessionOf(call({ functions: functions(32) })).rules).toHaveLength(32)
    const largest = (2n ** 96n - 1n).toString()
    const paid = [call(), { type: 'gas-fee-allowance', allowance: largest, operations: 1 }]
    expect(problemsOf(paid)).toEqual([])
    expect(problemsOf([call(), fees], { validAfter: 0, validUntil: 2 ** 48 - 1 })).toEqual([])
    const tokens = Array.from({ length: 16 }, (_, n) => ({
      type: 'erc20-token-allowance',
      token: numbered(0x10000 + n),
      allowance: '1',
    }))
    expect(problemsOf([...tokens, fees])).toEqual([])
    expect(problemsOf([native, ...tokens, fees])).toEqual(['permissions'])
  })

  test('args: contract-call', () => {
    const { rules } = sessionOf(
      native,
      call({ functions: ['play(uint256)', '0xABCDEF01', 'play(uint256)'], maxValue: '5' }),
    )
    expect(rules.map(({ selector }) => selector)).toEqual([toFunctionSelector('play(uint256)'), '0xabcdef01'])
    expect(rules).toMatchObject([{ maxValue: 5n }, { maxValue: 5n }])
    // A transfer without a limit, requested explicitly, as in the interface's own example.
    expect(sessionOf(call({ target: token, functions: ['transfer(address,uint256)'] })).rules).toHaveLength(1)
  })

  test('args: paymaster', () => {
    const result = compilePermissions([call()], { ...options, paymaster: bob })
    expect(result).toMatchObject({ session: { paymaster: bob, feePerOperation: 0n, maxOperations: 100 } })
  })

  test.each<[string, unknown, string[]]>([
    ['nothing', [], ['permissions']],
    ['not an array', 'all', ['permissions']],
    ['only fees', [fees], ['permissions']],
    ['an empty array', [], ['permissions']],
    [
      'a fee that is too high for one operation',
      [call(), { ...fees, allowance: (2n ** 96n).toString(), operations: 1 }],
      ['permissions[1].allowance'],
    ],
    [
      'every invalid member of a token allowance',
      [{ type: 'erc20-token-allowance', token: '0x', allowance: 'x', to: 'x', period: 'x' }, fees],
      ['allowance', 'token', 'to', 'period'].map((member) => `permissions[0].${member}`),
    ],
    [
      'two allowances of one token',
      [
        { type: 'erc20-token-allowance', token: token.toLowerCase(), allowance: '9' },
        { type: 'erc20-token-allowance', token, allowance: '9' },
        fees,
      ],
      ['permissions[1]'],
    ],
    [
      'text that only starts or ends with an amount',
      ['5x', 'x5', '05', ' 5', `1${'0'.repeat(78)}`].map((allowance, index) => ({
        type: 'erc20-token-allowance',
        token: numbered(0x10000 + index),
        allowance,
      })),
      [...[0, 1, 2, 3, 4].map((index) => `permissions[${index}].allowance`), 'permissions'],
    ],
    [
      'invalid addresses',
      [{ ...native, to: [bob, 'bob', 7] }, fees],
      ['permissions[0].to[1]', 'permissions[0].to[2]', 'permissions[0].to[2]'],
    ],
    ['functions that are not an array', [call({ functions: 'play()' }), fees], ['permissions[0].functions']],
    [
      'too much value',
      [native, call({ maxValue: (2n ** 96n).toString() }), fees],
      ['permissions[1].maxValue'],
    ],
    [
      'value beside an invalid permission',
      [null, call({ maxValue: '1' }), fees],
      ['permissions[0].type', 'permissions[1].maxValue'],
    ],
    ['only an allowance for native value', [native, fees], ['permissions']],
    ['no one to pay fees', [call()], ['permissions']],
    ['an unknown type', [{ type: 'everything' }, fees], ['permissions[0].type']],
    ['not an object', [null, fees], ['permissions[0].type']],
    [
      'a number as an amount',
      [{ type: 'native-token-allowance', allowance: 5 }, fees],
      ['permissions[0].allowance'],
    ],
    [
      'a negative amount',
      [{ type: 'native-token-allowance', allowance: '-5' }, fees],
      ['permissions[0].allowance'],
    ],
    [
      'a zero amount',
      [{ type: 'native-token-allowance', allowance: '0' }, fees],
      ['permissions[0].allowance'],
    ],
    [
      'an amount over 128 bits',
      [{ type: 'native-token-allowance', allowance: (2n ** 128n).toString() }, fees],
      ['permissions[0].allowance'],
    ],
    ['a period of 0', [{ ...native, to: [bob], period: 0 }, fees], ['permissions[0].period']],
    ['addresses that are not an array', [{ ...native, to: bob }, call(), fees], ['permissions[0].to']],
    ['a duplicate address', [{ ...native, to: [bob, bob.toLowerCase()] }, fees], ['permissions[0].to[1]']],
    ['a wrong checksum', [call({ target: game.replace('A', 'a') }), fees], ['permissions[0].target']],
    ['the zero address', [call({ target: zeroAddress }), fees], ['permissions[0].target']],
    ['no functions', [call({ functions: [] }), fees], ['permissions[0].functions']],
    [
      'invalid signatures',
      [call({ functions: ['play', 'play(uint)x', 'play(foo)', '0x1234', 7] }), fees],
      [0, 1, 2, 3, 4].map((index) => `permissions[0].functions[${index}]`),
    ],
    ['value without an allowance', [call({ maxValue: '1' }), fees], ['permissions[0].maxValue']],
    [
      'approvals that cannot be counted',
      [call({ functions: ['approve(address,uint256)', '0xa22cb465', 'setOperator(address,bool)'] }), fees],
      [0, 1, 2].map((index) => `permissions[0].functions[${index}]`),
    ],
    [
      'calls of a token with an allowance',
      [{ type: 'erc20-token-allowance', token, allowance: '9' }, call({ target: token.toLowerCase() }), fees],
      ['permissions[1].target'],
    ],
    [
      'no recipients',
      [{ type: 'erc20-token-allowance', token, allowance: '9', to: [] }, fees],
      ['permissions[0].to'],
    ],
    ['the same allowance twice', [call(), native, native, fees], ['permissions[2]']],
    ['fees twice', [call(), fees, fees], ['permissions[2]']],
    ['a fee of zero for each operation', [call(), { ...fees, allowance: '9' }], ['permissions[1].allowance']],
    ['no operations', [call(), { ...fees, operations: 0 }], ['permissions[1].operations']],
    [
      'more than 32 rules',
      [
        {
          type: 'erc20-token-allowance',
          token,
          allowance: '9',
          to: Array.from({ length: 17 }, (_, n) => numbered(n + 1)),
        },
        fees,
      ],
      ['permissions'],
    ],
    [
      'more names than the maximum number of rules, without parsing them',
      [
        { ...native, to: Array(10).fill('bob') },
        { type: 'erc20-token-allowance', token, allowance: '9', to: Array(10).fill('bob') },
        call({ functions: Array(13).fill('play') }),
        fees,
      ],
      ['permissions'],
    ],
    [
      'every problem at once',
      [call({ target: 'game', functions: ['play'] }), { ...fees, allowance: 'much' }],
      ['permissions[0].target', 'permissions[0].functions[0]', 'permissions[1].allowance'],
    ],
  ])('error: %s', (_, permissions, paths) => {
    expect(problemsOf(permissions)).toEqual(paths)
  })

  test('error: validity', () => {
    expect(problemsOf([call(), fees], { validAfter: 200 })).toEqual(['validAfter'])
    expect(problemsOf([call(), fees], { validAfter: -1 })).toEqual(['validAfter'])
    expect(problemsOf([call(), fees], { validUntil: 2 ** 48 })).toEqual(['validUntil'])
  })

  test('error: forbidden', () => {
    expect(problemsOf([call(), fees], { forbidden: [bob, game] })).toEqual(['permissions[0]'])
    expect(problemsOf([fees, call()], { forbidden: [game.toLowerCase()] })).toEqual(['permissions[1]'])
    expect(problemsOf([call(), fees], { forbidden: [alice, bob] })).toEqual([])
  })

  test('error: precompiles and system contracts', () => {
    for (const target of [1, 5, 0x6e, 0xffff].map(numbered)) {
      expect(problemsOf([call({ target }), fees])).toEqual(['permissions[0]'])
      expect(problemsOf([{ ...native, to: [alice, target] }, fees])).toEqual(['permissions[0]'])
      expect(problemsOf([{ type: 'erc20-token-allowance', token: target, allowance: '9' }, fees])).toEqual([
        'permissions[0]',
      ])
    }
    expect(problemsOf([call({ target: numbered(0x10000) }), fees])).toEqual([])
    // Payments to anyone are a rule whose target is zero.
    expect(problemsOf([{ type: 'native-token-allowance', allowance: '5' }, fees])).toEqual([])
  })
})
