import { hashMessage, hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { type AccountTypedData, hashAccountMessage } from './messages.ts'

const types = {
  Person: [
    { name: 'name', type: 'string' },
    { name: 'wallet', type: 'address' },
  ],
  Payment: [
    { name: 'from', type: 'Person' },
    { name: 'amounts', type: 'uint256[]' },
    { name: 'delta', type: 'int8' },
    { name: 'open', type: 'bool' },
    { name: 'data', type: 'bytes' },
    { name: 'id', type: 'bytes4' },
  ],
} as const
const from = { name: 'Bob', wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as const
const rest = { open: true, data: '0xcafe', id: '0x12345678' } as const
const signed = { from, amounts: [1n, 2n ** 255n], delta: -5, ...rest }
const fromJson = { from, amounts: ['1', `0x8${'0'.repeat(63)}`], delta: '-5', ...rest }
const domain = { name: 'Shop', chainId: 31337, verifyingContract: from.wallet } as const
const typedData = { domain, types, primaryType: 'Payment', message: fromJson } satisfies AccountTypedData
const expected = hashTypedData({ domain, types, primaryType: 'Payment', message: signed })

describe('hashAccountMessage', () => {
  test('args: message', () => {
    expect(hashAccountMessage({ message: 'grüezi' })).toBe(hashMessage('grüezi'))
  })

  test('args: rawMessage, which is treated as bytes, not as a hash', () => {
    const rawMessage = `0x${'5a'.repeat(32)}` as const
    expect(hashAccountMessage({ rawMessage })).toBe(hashMessage({ raw: rawMessage }))
    expect(hashAccountMessage({ rawMessage: '0x' })).toBe(hashMessage(''))
  })

  test('args: typedData with integers as strings', () => {
    expect(hashAccountMessage({ typedData })).toBe(expected)
  })

  test.each(['31337', '0x7a69', 31337, 31337n])(
    'behavior: the digest contains the chain id given as %s',
    (chainId) => {
      expect(hashAccountMessage({ typedData: { ...typedData, domain: { ...domain, chainId } } })).toBe(
        expected,
      )
    },
  )

  test('behavior: the EIP712Domain type is optional, and so is the domain', () => {
    const EIP712Domain = [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ]
    const given = { ...typedData, types: { ...types, EIP712Domain } }
    expect(hashAccountMessage({ typedData: given })).toBe(expected)
    const { domain: _, ...without } = typedData
    expect(hashAccountMessage({ typedData: without })).toBe(
      hashTypedData({ types, primaryType: 'Payment', message: signed }),
    )
  })

  test.each<[string, Partial<AccountTypedData>]>([
    ['an unknown primary type', { primaryType: 'Nothing' }],
    ['an unknown member type', { types: { Payment: [{ name: 'from', type: 'Persona' }] } }],
    ['a missing member', { message: { ...fromJson, amounts: undefined } }],
    ['a missing struct', { message: { ...fromJson, from: undefined } }],
    ['a missing string', { message: { ...fromJson, from: { wallet: from.wallet } } }],
    ['missing bytes', { message: { ...fromJson, data: undefined } }],
    ['not an address', { message: { ...fromJson, from: { ...from, wallet: '0x12' } } }],
    ['an integer that exceeds its bits', { message: { ...fromJson, delta: '128' } }],
    ['not an integer', { message: { ...fromJson, amounts: ['much'] } }],
    ['bytes of a different length', { message: { ...fromJson, id: '0x12' } }],
    ['not a boolean', { message: { ...fromJson, open: 'yes' } }],
    ['not a chain id', { domain: { chainId: 'mainnet' } }],
    ['a chain id that is an object', { domain: { chainId: {} } }],
  ])('error: MALFORMED, %s', (_, changed) => {
    expect(() => hashAccountMessage({ typedData: { ...typedData, ...changed } })).toThrow(
      expect.objectContaining({ name: 'AccountsError', code: 'MALFORMED' }),
    )
  })
})
