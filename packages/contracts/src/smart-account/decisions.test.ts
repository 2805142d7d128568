import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { permissions } from '../session-key/permission.ts'
import { namedKey, sessionKey, sessionKeyOrId } from '../session-key/session-key.ts'
import { unixSeconds } from '../session-key/unix-seconds.ts'
import { quoteLimit, quoteType } from '../smart-balance/quote-type.ts'
import { paymasterData } from './paymaster-data.ts'
import { transactionDetailOutput, transactionDetails } from './transaction-detail.ts'

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describe('paymasterData', () => {
  test('default', () => {
    for (const value of ['sponsored', '0x', `0x${'ab'.repeat(52)}`, `0x${'ab'.repeat(85)}`])
      expect(paymasterData.parse(value)).toBe(value)
  })

  test.each(['', 'Sponsored', `0x${'ab'.repeat(51)}`, '0xabc', 5, null])('error: %j', (value) => {
    expect(accepts(paymasterData, value)).toBe(false)
  })
})

describe('transactionDetails', () => {
  const call = (bytes = 0) => ({
    encodedData: `0x${'ab'.repeat(bytes)}`,
    targetContractAddress: address,
    value: '1',
  })

  test('default', () => {
    expect(transactionDetails.parse([call(1)])).toEqual([{ ...call(1), value: 1n }])
    expect(transactionDetails.parse(undefined)).toEqual([])
  })

  test('behavior: accepts at most 64 calls', () => {
    expect(accepts(transactionDetails, Array(64).fill(call()))).toBe(true)
    expect(accepts(transactionDetails, Array(65).fill(call()))).toBe(false)
  })

  test('behavior: accepts at most 128 KiB of calldata in total', () => {
    expect(accepts(transactionDetails, [call(64 * 1024), call(64 * 1024)])).toBe(true)
    expect(accepts(transactionDetails, [call(64 * 1024), call(64 * 1024 + 1)])).toBe(false)
  })

  test('behavior: the sum of the values must fit in a transaction', () => {
    const largest = (2n ** 256n - 1n).toString()
    expect(accepts(transactionDetails, [{ ...call(), value: largest }])).toBe(true)
    expect(accepts(transactionDetails, [{ ...call(), value: largest }, call()])).toBe(false)
  })

  test('behavior: too many calls are rejected before any is parsed', () => {
    const { error } = transactionDetails.safeParse(Array(2_000).fill({}))
    expect(error?.issues.map(({ message }) => message)).toEqual(['At most 64 calls in one operation'])
  })

  test('default: a call without value sends 0', () => {
    const [parsed] = transactionDetails.parse([{ ...call(), value: undefined }]) ?? []
    expect(parsed?.value).toBe(0n)
  })

  test.each(['encodedData', 'targetContractAddress'])('error: without %s', (member) => {
    expect(accepts(transactionDetails, [{ ...call(), [member]: undefined }])).toBe(false)
  })

  test.each(['encodedData', 'targetContractAddress', 'value'])('error: a response without %s', (member) => {
    expect(accepts(transactionDetailOutput, { ...call(), [member]: undefined })).toBe(false)
  })
})

describe('sessionKey', () => {
  const point = { x: 1n, y: 2n }
  const hex = (value: bigint) => value.toString(16).padStart(64, '0')

  test('default: accepts an address, or a P-256 key in any form', () => {
    expect(sessionKey.parse(address.toLowerCase())).toBe(address)
    expect(sessionKey.parse(`0x04${hex(1n)}${hex(2n)}`)).toEqual(point)
    expect(sessionKey.parse({ x: '1', y: '2' })).toEqual(point)
    expect(sessionKey.parse({ x: '0x1', y: `0x${hex(2n)}` })).toEqual(point)
    expect(sessionKey.parse({ x: '1'.repeat(77), y: '12' })).toEqual({ x: BigInt('1'.repeat(77)), y: 12n })
  })

  test.each([
    `0x02${hex(1n)}${hex(2n)}`,
    `0x04${hex(1n)}${hex(2n)}0`,
    ` 0x04${hex(1n)}${hex(2n)}`,
    `0x04${hex(1n)}`,
    { x: '1' },
    { x: '1', y: '-2' },
    { x: '1', y: '0x' },
    { x: '1', y: ' 2' },
    { x: '1', y: '2 ' },
    { x: '1', y: '1'.repeat(79) },
    { x: '1', y: `0x${'1'.repeat(65)}` },
    { x: 1, y: 2 },
    { x: (2n ** 256n).toString(), y: '1' },
    { x: '1', y: '9'.repeat(78) },
    '',
    null,
  ])('error: %j', (value) => {
    expect(accepts(sessionKey, value)).toBe(false)
    expect(accepts(sessionKeyOrId, value)).toBe(false)
  })

  test('behavior: accepts any coordinates of 32 bytes, which may not be on the curve', () => {
    const largest = 2n ** 256n - 1n
    expect(sessionKey.parse({ x: largest.toString(), y: '1' })).toEqual({ x: largest, y: 1n })
  })

  test('sessionKeyOrId: also accepts 32 bytes', () => {
    const keyId = `0x${'AB'.repeat(32)}`
    expect(sessionKeyOrId.parse(keyId)).toEqual({ keyId: keyId.toLowerCase() })
    expect(sessionKeyOrId.parse(address)).toBe(address)
    expect(sessionKeyOrId.parse(`0x04${hex(1n)}${hex(2n)}`)).toEqual(point)
    expect(sessionKeyOrId.parse({ x: '1', y: '2' })).toEqual(point)
    expect(accepts(sessionKey, keyId)).toBe(false)
  })

  test('namedKey: always the keyId, and an address if the key has one', () => {
    const keyId = `0x${'ab'.repeat(32)}`
    const named = z.object(namedKey)
    expect(named.parse({ keyId })).toEqual({ keyId })
    expect(named.parse({ keyId, sessionKey: address })).toEqual({ keyId, sessionKey: address })
    expect(accepts(named, { sessionKey: address })).toBe(false)
  })
})

describe('permissions', () => {
  const every = [
    { type: 'native-token-allowance', allowance: '1'.repeat(78), period: 60, to: [address] },
    { type: 'erc20-token-allowance', token: address, allowance: '5', period: 60, to: [] },
    { type: 'contract-call', target: address, functions: ['play(uint256)'], maxValue: '5' },
    { type: 'gas-fee-allowance', allowance: '5', operations: 7 },
  ]
  const [native, token, call, fees] = every

  test('default: keeps every member', () => {
    expect(permissions.parse(every)).toEqual(every)
    const least = [
      { type: 'native-token-allowance', allowance: '5' },
      { type: 'erc20-token-allowance', token: address, allowance: '5' },
      { type: 'contract-call', target: address, functions: [] },
      { type: 'gas-fee-allowance', allowance: '5' },
    ]
    expect(permissions.parse(least)).toEqual(least)
  })

  test.each([
    [[]],
    [[{ ...native, type: 'everything' }]],
    [[{ ...native, allowance: 5 }]],
    [[{ ...native, allowance: '-5' }]],
    [[{ ...native, allowance: ' 5' }]],
    [[{ ...native, allowance: '5 ' }]],
    [[{ ...native, allowance: '1'.repeat(79) }]],
    [[{ ...native, period: 0 }]],
    [[{ ...native, period: 1.5 }]],
    [[{ ...native, to: address }]],
    [[{ ...native, to: ['bob'] }]],
    [[{ ...token, token: 'usdc' }]],
    [[{ ...token, token: undefined }]],
    [[{ ...token, allowance: undefined }]],
    [[{ ...token, to: ['bob'] }]],
    [[{ ...call, target: 'game' }]],
    [[{ ...call, functions: 'play()' }]],
    [[{ ...call, functions: [5] }]],
    [[{ ...call, maxValue: 5 }]],
    [[{ ...fees, allowance: undefined }]],
    [[{ ...fees, operations: 0 }]],
    ['everything'],
    [null],
  ])('error: %j', (value) => {
    expect(accepts(permissions, value)).toBe(false)
  })

  test.each([
    ['native', { ...native, to: Array(32).fill(address) }],
    ['token', { ...token, to: Array(32).fill(address) }],
    ['call', { ...call, functions: Array(32).fill('f'.repeat(256)) }],
  ])('behavior: accepts at most 32 names of 256 characters (%s)', (_name, largest) => {
    expect(accepts(permissions, [largest])).toBe(true)
    const more = Object.entries(largest).map(([member, value]) => [
      member,
      Array.isArray(value) ? [...value, value[0]] : value,
    ])
    expect(accepts(permissions, [Object.fromEntries(more)])).toBe(false)
    expect(accepts(permissions, [{ ...call, functions: ['f'.repeat(257)] }])).toBe(false)
  })

  test('behavior: too many are rejected before any is parsed', () => {
    const messages = (value: unknown) =>
      permissions.safeParse(value).error?.issues.map(({ message }) => message)
    const many = Array(5_000).fill('nobody')
    expect(messages([{ ...native, to: many }])).toEqual(['At most 32 addresses'])
    expect(messages([{ ...call, functions: Array(5_000).fill(5) }])).toEqual(['At most 32 functions'])
    expect(messages(Array(5_000).fill(5))).toEqual(['At most 48 permissions'])
  })

  test('behavior: from 1 to 48', () => {
    expect(accepts(permissions, Array(48).fill(native))).toBe(true)
    expect(accepts(permissions, Array(49).fill(native))).toBe(false)
  })
})

describe('unixSeconds', () => {
  test('default', () => {
    for (const value of [0, 1_800_000_000]) {
      expect(unixSeconds.parse(value)).toBe(value)
      expect(unixSeconds.parse(String(value))).toBe(value)
    }
  })

  test.each(['', '-1', ' 1', '1 ', '1.5', '1e9', '1'.repeat(16), -1, 1.5, null])('error: %j', (value) => {
    expect(accepts(unixSeconds, value)).toBe(false)
  })
})

describe('quoteType, quoteLimit', () => {
  test('default', () => {
    expect([undefined, 'AMOUNT_OUT', 'AMOUNT_IN'].map((value) => quoteType.parse(value))).toEqual([
      'AMOUNT_OUT',
      'AMOUNT_OUT',
      'AMOUNT_IN',
    ])
    expect([undefined, 5, '5'].map((value) => quoteLimit.parse(value))).toEqual([undefined, 5n, 5n])
    expect(accepts(quoteType, 'amount_out')).toBe(false)
  })
})
