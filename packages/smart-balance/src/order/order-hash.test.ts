import type { UserOperation } from '@lanyard/accounts'
import { concat, encodeAbiParameters, encodePacked, keccak256, numberToHex, parseAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import { digest, domainSeparator, hashText } from '../../test/eip712.ts'
import type { UnsignedOrder } from './order.ts'
import { getOrderHash, signerId } from './order-hash.ts'

describe('signerId', () => {
  test('default', () => {
    expect(signerId({ kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })).toBe(
      `0x${'00'.repeat(12)}70997970c51812dc3a010c7d01b50e0d17dc79c8`,
    )
  })

  test('args: a passkey', () => {
    expect(signerId({ kind: 'passkey', x: 1n, y: 2n, verifiers: 3n })).toBe(
      keccak256(encodePacked(['uint256', 'uint256', 'uint176'], [1n, 2n, 3n])),
    )
  })

  test('error: MALFORMED', () => {
    expect(() => signerId({ kind: 'eoa', address: '0x1234' })).toThrow(
      expect.objectContaining({ code: 'MALFORMED', details: { field: 'signer.address', bytes: 20 } }),
    )
  })
})

const order: UnsignedOrder = {
  paymaster: '0x1de369C050d12c59EAB848C938932a347eaFa68c',
  paymasterVerificationGasLimit: 11n,
  paymasterPostOpGasLimit: 12n,
  claimAmount: 13n,
  validUntil: 14,
  debits: [
    { chainId: 15, amount: 16n, failFee: 17n },
    { chainId: 18, amount: 19n, failFee: 20n },
  ],
  signer: { kind: 'passkey', x: 21n, y: 22n, verifiers: 23n },
}
const operation: Omit<UserOperation, 'paymasterAndData'> = {
  sender: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  nonce: (1n << 64n) + 2n,
  initCode: '0x0304',
  callData: '0x0506',
  callGasLimit: 7n,
  verificationGasLimit: 8n,
  preVerificationGas: 9n,
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 5n,
}
const uint128 = (value: bigint) => numberToHex(value, { size: 16 })

/** The struct hash of Order.sol, computed member by member. */
function structHash() {
  const debits = order.debits.map(({ chainId, amount, failFee }) =>
    keccak256(
      encodeAbiParameters(parseAbiParameters('bytes32, uint64, uint128, uint64'), [
        hashText('Debit(uint64 chainId,uint128 amount,uint64 failFee)'),
        BigInt(chainId),
        amount,
        failFee,
      ]),
    ),
  )
  return keccak256(
    encodeAbiParameters(
      parseAbiParameters(
        'bytes32, address, uint256, bytes32, bytes32, bytes32, uint256, bytes32, bytes32, uint128, uint48, bytes32, bytes32',
      ),
      [
        hashText(
          'Order(address account,uint256 nonce,bytes32 initCodeHash,bytes32 callDataHash,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes32 paymasterGasLimits,uint128 claimAmount,uint48 validUntil,Debit[] debits,bytes32 signer)Debit(uint64 chainId,uint128 amount,uint64 failFee)',
        ),
        operation.sender,
        operation.nonce,
        keccak256('0x0304'),
        keccak256('0x0506'),
        concat([uint128(8n), uint128(7n)]),
        9n,
        concat([uint128(5n), uint128(10n)]),
        concat([uint128(11n), uint128(12n)]),
        13n,
        14,
        keccak256(concat(debits)),
        signerId(order.signer),
      ],
    ),
  )
}

describe('getOrderHash', () => {
  test('default', () => {
    expect(getOrderHash({ order, operation, chainId: 31337 })).toBe(
      digest(domainSeparator(31337, order.paymaster), structHash()),
    )
  })

  test.each<[string, Partial<typeof operation>, Partial<UnsignedOrder>]>([
    ['nonce', { nonce: 2n ** 256n }, {}],
    ['nonce', { nonce: -1n }, {}],
    ['preVerificationGas', { preVerificationGas: 2n ** 256n }, {}],
    ['verificationGasLimit', { verificationGasLimit: 2n ** 128n }, {}],
    ['callGasLimit', { callGasLimit: 2n ** 128n }, {}],
    ['maxPriorityFeePerGas', { maxPriorityFeePerGas: 2n ** 128n }, {}],
    ['maxFeePerGas', { maxFeePerGas: 2n ** 128n }, {}],
    ['paymasterVerificationGasLimit', {}, { paymasterVerificationGasLimit: 2n ** 128n }],
    ['paymasterPostOpGasLimit', {}, { paymasterPostOpGasLimit: 2n ** 128n }],
    ['claimAmount', {}, { claimAmount: 2n ** 128n }],
    ['validUntil', {}, { validUntil: 2 ** 48 }],
    ['debits.amount', {}, { debits: [{ chainId: 1, amount: 2n ** 128n, failFee: 0n }] }],
    ['debits.failFee', {}, { debits: [{ chainId: 1, amount: 1n, failFee: 2n ** 64n }] }],
    ['signer.x', {}, { signer: { kind: 'passkey', x: 2n ** 256n, y: 0n, verifiers: 0n } }],
    ['signer.y', {}, { signer: { kind: 'passkey', x: 0n, y: 2n ** 256n, verifiers: 0n } }],
    ['signer.verifiers', {}, { signer: { kind: 'passkey', x: 0n, y: 0n, verifiers: 2n ** 176n } }],
  ])('error: OUT_OF_RANGE, %s', (field, changedOperation, changedOrder) => {
    const parameters = {
      order: { ...order, ...changedOrder },
      operation: { ...operation, ...changedOperation },
      chainId: 1,
    }
    expect(() => getOrderHash(parameters)).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE', details: expect.objectContaining({ field }) }),
    )
  })
})
