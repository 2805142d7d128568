import { hashMessage, hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { type AccountTypedData, hashAccountMessage } from './account-message.ts'

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

  test('args: rawMessage, which is bytes and no hash', () => {
    const rawMessage = `0x${'5a'.repeat(32)}` as const
    expect(hashAccountMessage({ rawMessage })).toBe(hashMessage({ raw: rawMessage }))
    expect(hashAccountMessage({ rawMessage: '0x' })).toBe(hashMessage(''))
  })

  test('args: typedData, integers as strings', () => {
    expect(hashAccountMessage({ typedData })).toBe(expected)
  })

  test.each(['31337', '0x7a69', 31337, 31337n])('behavior: the chain id %s is in the digest', (chainId) => {
    expect(hashAccountMessage({ typedData: { ...typedData, domain: { ...domain, chainId } } })).toBe(expected)
  })

  test('behavior: the type EIP712Domain may be given, and the domain may be absent', () => {
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
    ['a type that is no type', { types: { Payment: [{ name: 'from', type: 'Persona' }] } }],
    ['a member that is missing', { message: { ...fromJson, amounts: undefined } }],
    ['a struct that is missing', { message: { ...fromJson, from: undefined } }],
    ['a text that is missing', { message: { ...fromJson, from: { wallet: from.wallet } } }],
    ['bytes that are missing', { message: { ...fromJson, data: undefined } }],
    ['no address', { message: { ...fromJson, from: { ...from, wallet: '0x12' } } }],
    ['an integer over its bits', { message: { ...fromJson, delta: '128' } }],
    ['no integer', { message: { ...fromJson, amounts: ['much'] } }],
    ['bytes of another length', { message: { ...fromJson, id: '0x12' } }],
    ['no boolean', { message: { ...fromJson, open: 'yes' } }],
    ['no chain id', { domain: { chainId: 'mainnet' } }],
    ['a chain id that is an object', { domain: { chainId: {} } }],
  ])('error: MALFORMED, %s', (_, changed) => {
    expect(() => hashAccountMessage({ typedData: { ...typedData, ...changed } })).toThrow(
      expect.objectContaining({ name: 'AccountsError', code: 'MALFORMED' }),
    )
  })
})
