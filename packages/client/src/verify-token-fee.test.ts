import { encodeCalls, type UserOperation } from '@lanyard/accounts'
import { encodeTokenFee, encodeTokenFeeApproval, maximumTokenFee } from '@lanyard/smart-balance'
import { randomAddress } from '@lanyard/testing'
import { describe, expect, test } from 'vitest'
import { verifyTokenFee } from './verify-token-fee.ts'

const [token, paymaster] = [randomAddress(), randomAddress()]
const fee = {
  ...{ paymaster, token, rate: 2_625_000_000n, extraGas: 21_000, validUntil: 1_900_000_000 },
  ...{ paymasterVerificationGasLimit: 30_000n, paymasterPostOpGasLimit: 50_000n },
}
const operation: UserOperation = {
  sender: randomAddress(),
  nonce: 1n,
  initCode: '0x',
  callData: encodeCalls([]),
  callGasLimit: 100_000n,
  verificationGasLimit: 80_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
  paymasterAndData: encodeTokenFee({ ...fee, operatorSignature: `0x${'5a'.repeat(65)}` }),
}
const maximum = maximumTokenFee(operation, fee)
const approve = (change: object = {}) =>
  encodeTokenFeeApproval({ token, paymaster, maximum, resetFirst: false, ...change })
const pays = { to: randomAddress(), value: 1n, data: '0x' } as const
const rejection = (field: string) => expect.objectContaining({ name: 'BuildVerificationError', field })

describe('verifyTokenFee', () => {
  test('default: the maximum and its approvals', () => {
    const verified = verifyTokenFee(operation, [...approve(), pays], { feeToken: token })
    expect(verified).toMatchObject({ maximum, rate: fee.rate, approvals: approve() })
    const reset = approve({ resetFirst: true })
    expect(verifyTokenFee(operation, [...reset, pays], { feeToken: token }).approvals).toEqual(reset)
  })

  test('error: a service that lies about the token, the amount, the spender or the order', () => {
    const verify = (calls: Parameters<typeof verifyTokenFee>[1], feeToken = token) => {
      return () => verifyTokenFee(operation, calls, { feeToken })
    }
    expect(verify(approve(), randomAddress())).toThrow(rejection('userOp.paymasterAndData'))
    for (const calls of [
      [],
      [pays, ...approve()],
      approve({ maximum: maximum + 1n }),
      approve({ paymaster: randomAddress() }),
      approve({ token: randomAddress() }),
      approve().map((call) => ({ ...call, value: 1n })),
    ])
      expect(verify(calls)).toThrow(rejection('userOp.callData'))
    const plain = { ...operation, paymasterAndData: '0x' as const }
    expect(() => verifyTokenFee(plain, approve(), { feeToken: token })).toThrow(
      rejection('userOp.paymasterAndData'),
    )
  })

  test('error: more than the caller accepts', () => {
    const expected = { feeToken: token, maximumTokenFee: maximum - 1n }
    expect(() => verifyTokenFee(operation, approve(), expected)).toThrow(rejection('userOp.paymasterAndData'))
    expect(() =>
      verifyTokenFee(operation, approve(), { ...expected, maximumTokenFee: maximum }),
    ).not.toThrow()
  })
})
