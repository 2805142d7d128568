import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { encodeCall, parseFunctionSignature } from './encode-call.ts'

const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const tokenTransfer = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
  args: [someone, 10_000_000n],
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

  test('behavior: numbers above 2^53 are exact', () => {
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
