import { encodeAddOwner, encodeRemoveOwner } from '@lanyard/accounts'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeArguments } from './decode-arguments.ts'
import { describeCall } from './describe-call.ts'
import { encodeCall, parseFunctionSignature } from './encode-call.ts'
import { summarizeCalls } from './summarize-call.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const usdc = { symbol: 'USDC', decimals: 6, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3' } as const
const context = { account, tokens: [usdc] } as const
const words = (...calls: Parameters<typeof describeCall>[0][]) =>
  summarizeCalls(
    calls.map((call) => describeCall(call, context)),
    'past',
  )

const tokenTransfer = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
  args: [someone, 10_000_000n],
})

describe('summarizeCalls', () => {
  test('default', () => {
    expect(words({ to: someone, value: 5n * 10n ** 17n, data: '0x' })).toBe('Sent 0.5 ETH to 0x7099…79C8')
  })

  test('behavior: token transfer', () => {
    expect(words({ to: usdc.token, value: 0n, data: tokenTransfer })).toBe('Sent 10 USDC to 0x7099…79C8')
  })

  test('behavior: approval', () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [someone, 1n] })
    expect(words({ to: usdc.token, value: 0n, data })).toBe('Allowed 0x7099…79C8 to spend 0.000001 USDC')
  })

  test('behavior: a token nobody vouches for is a contract call', () => {
    expect(words({ to: someone, value: 0n, data: tokenTransfer })).toBe('Contract call to 0x7099…79C8')
  })

  test('behavior: a token call that also sends value is a contract call', () => {
    expect(words({ to: usdc.token, value: 1n, data: tokenTransfer })).toBe('Contract call to 0x5FbD…0aa3')
  })

  test('behavior: owners', () => {
    expect(words(encodeAddOwner({ account, owner: someone }))).toBe('Added owner 0x7099…79C8')
    expect(words(encodeRemoveOwner({ account, owner: someone, owners: [someone, account] }))).toBe(
      'Removed owner 0x7099…79C8',
    )
  })

  test('behavior: none deploys, several are counted', () => {
    expect(words()).toBe('Deployed the account')
    const call = { to: someone, value: 1n, data: '0x' } as const
    expect(words(call, call, call)).toBe('Sent 0.000000000000000001 ETH to 0x7099…79C8 and 2 more')
  })

  test('behavior: truncated call data is a contract call', () => {
    expect(describeCall({ to: usdc.token, value: 0n, data: '0xa9059cbb00' }, context)).toMatchObject({
      kind: 'contract',
      selector: '0xa9059cbb',
    })
  })
})

describe('encodeCall', () => {
  const parse = (text: string) => {
    const parsed = parseFunctionSignature(text)
    if (!parsed.ok) throw new TypeError(parsed.message)
    return parsed.abi
  }

  test.each([
    'transfer(address,uint256)',
    'function transfer(address to, uint256 amount)',
    ' transfer(address,uint256); ',
  ])('default: %s', (signature) => {
    expect(encodeCall(parse(signature), [someone, '10000000'])).toEqual({ ok: true, data: tokenTransfer })
  })

  test('behavior: numbers over 2^53 stay exact', () => {
    expect(encodeCall(parse('f(uint256)'), [maxUint256.toString()])).toMatchObject({
      data: `0xb3de648b${'f'.repeat(64)}`,
    })
  })

  test('behavior: arrays and tuples are JSON', () => {
    expect(encodeCall(parse('f(uint256[])'), ['["1", "2"]'])).toMatchObject({ ok: true })
    expect(
      encodeCall(parse('f((address to, uint256 amount))'), [`{"to":"${someone}","amount":"1"}`]),
    ).toMatchObject({
      ok: true,
    })
  })

  test.each([
    ['f(address)', someone.replace('C51', 'c51')],
    ['f(uint8)', '1.5'],
    ['f(bool)', 'yes'],
    ['f(bytes)', '0x123'],
    ['f(uint256[])', '1,2'],
  ])('error: argument of %s: %s', (signature, text) => {
    expect(encodeCall(parse(signature), [text])).toMatchObject({ ok: false, argument: 0 })
  })

  test('error: out of range', () => {
    expect(encodeCall(parse('f(uint8)'), ['256'])).toMatchObject({ ok: false })
    expect(encodeCall(parse('f(bytes4)'), ['0x12'])).toMatchObject({ ok: false })
  })

  test.each(['', 'transfer', 'transfer(addres)', 'a(b(c))'])('error: signature "%s"', (text) => {
    expect(parseFunctionSignature(text)).toMatchObject({ ok: false })
  })
})

describe('decodeArguments', () => {
  const parsed = parseFunctionSignature('transfer(address to, uint256)')

  test('default', () => {
    expect(parsed.ok && decodeArguments(parsed.abi, tokenTransfer)).toEqual([
      { name: '1. to (address)', value: someone },
      { name: '2. uint256', value: '10000000' },
    ])
  })

  test('behavior: undefined for a call of another function', () => {
    expect(parsed.ok && decodeArguments(parsed.abi, '0xd0e30db0')).toBeUndefined()
  })
})
