import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import { digest, domainSeparator, hashText } from '../test/eip712.ts'
import { getWithdrawalHash, type WithdrawalHashParameters } from './withdrawal.ts'

const withdrawal: WithdrawalHashParameters = {
  account: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  amount: 3n,
  fee: 4n,
  salt: `0x${'5a'.repeat(32)}`,
  deadline: 6,
  chainId: 31337,
  smartBalance: '0x1de369C050d12c59EAB848C938932a347eaFa68c',
}

describe('getWithdrawalHash', () => {
  test('default', () => {
    const { account, to, amount, fee, salt, deadline } = withdrawal
    const structHash = keccak256(
      encodeAbiParameters(
        parseAbiParameters('bytes32, address, address, uint128, uint128, bytes32, uint48'),
        [
          hashText(
            'Withdraw(address account,address to,uint128 amount,uint128 fee,bytes32 salt,uint48 deadline)',
          ),
          account,
          to,
          amount,
          fee,
          salt,
          deadline,
        ],
      ),
    )
    expect(getWithdrawalHash(withdrawal)).toBe(
      digest(domainSeparator(31337, withdrawal.smartBalance), structHash),
    )
  })

  test.each<[string, Partial<WithdrawalHashParameters>]>([
    ['amount', { amount: 2n ** 128n }],
    ['amount', { amount: -1n }],
    ['fee', { fee: 2n ** 128n }],
    ['deadline', { deadline: 2 ** 48 }],
  ])('error: OUT_OF_RANGE, %s', (field, changed) => {
    expect(() => getWithdrawalHash({ ...withdrawal, ...changed })).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE', details: expect.objectContaining({ field }) }),
    )
  })

  test('error: MALFORMED', () => {
    expect(() => getWithdrawalHash({ ...withdrawal, salt: `0x${'5a'.repeat(31)}` })).toThrow(
      expect.objectContaining({ code: 'MALFORMED', details: { field: 'salt', bytes: 32 } }),
    )
  })
})
