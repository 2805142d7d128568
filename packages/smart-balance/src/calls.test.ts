import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { encodeDeposit } from './calls.ts'

const token = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const smartBalance = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
const signer: Hex = `0x${'51'.repeat(32)}`

const approve = (units: bigint) => ({
  to: token,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [smartBalance, units] }),
})
const deposit = (amount: bigint) => ({
  to: smartBalance,
  value: 0n,
  data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'deposit', args: [amount] }),
})

describe('encodeDeposit', () => {
  test('default', () => {
    expect(encodeDeposit({ token, smartBalance, amount: 7n, decimals: 6 })).toEqual([
      approve(7n),
      deposit(7n),
    ])
  })

  test("args: decimals; approves exactly the deposit, in the token's units", () => {
    expect(encodeDeposit({ token, smartBalance, amount: 7n, decimals: 18 })).toEqual([
      approve(7n * 10n ** 12n),
      deposit(7n),
    ])
    expect(encodeDeposit({ token, smartBalance, amount: 7n, decimals: 36 })).toEqual([
      approve(7n * 10n ** 30n),
      deposit(7n),
    ])
  })

  test('args: addSigner', () => {
    const data = encodeFunctionData({ abi: smartBalanceAbi, functionName: 'addSigner', args: [signer] })
    expect(encodeDeposit({ token, smartBalance, amount: 7n, decimals: 6, addSigner: signer })).toEqual([
      approve(7n),
      deposit(7n),
      { to: smartBalance, value: 0n, data },
    ])
  })

  test.each([5, 37, 6.5, Number.NaN])('error: OUT_OF_RANGE, %s decimals', (decimals) => {
    expect(() => encodeDeposit({ token, smartBalance, amount: 1n, decimals })).toThrow(
      expect.objectContaining({
        name: 'SmartBalanceError',
        code: 'OUT_OF_RANGE',
        message: expect.stringContaining('decimals'),
        details: {},
      }),
    )
  })

  test('error: OUT_OF_RANGE, amount', () => {
    expect(() => encodeDeposit({ token, smartBalance, amount: 2n ** 128n, decimals: 6 })).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE', details: { field: 'amount', bits: 128 } }),
    )
  })
})
