import {
  concat,
  encodeAbiParameters,
  hashTypedData,
  InvalidAddressError,
  keccak256,
  parseAbiParameters,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { defaultDeployment } from '../safe/deployment.ts'
import { getSafeOperationHash, type SafeOperationContext, safeOperationTypedData } from '../safe/operation.ts'
import { getUserOperationHash } from './hash.ts'
import { type UserOperation, unpackUserOperation } from './user-operation.ts'

/*
 * Both hashes computed by hand as in the contracts, as a check independent of viem's encoding of our types.
 */

const paymaster = `0x${'aa'.repeat(20)}` as const
const uint128 = (value: bigint) => toHex(value, { size: 16 })
const operation: UserOperation = {
  sender: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  nonce: (1n << 64n) + 2n,
  initCode: `0x${'11'.repeat(20)}0304`,
  callData: '0x0506',
  callGasLimit: 7n,
  verificationGasLimit: 8n,
  preVerificationGas: 9n,
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 5n,
  paymasterAndData: concat([paymaster, uint128(12n), uint128(13n), '0xcafe']),
}

/** Safe4337Module 0.3.0, `_getSafeOp`. */
function operationHash({ chainId, validAfter = 0, validUntil = 0, ...context }: SafeOperationContext) {
  const { module = defaultDeployment.module, entryPoint = defaultDeployment.entryPoint } = context
  const structHash = keccak256(
    encodeAbiParameters(
      parseAbiParameters(
        'bytes32, address, uint256, bytes32, bytes32, uint128, uint128, uint256, uint128, uint128, bytes32, uint48, uint48, address',
      ),
      [
        keccak256(
          toHex(
            'SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)',
          ),
        ),
        operation.sender,
        operation.nonce,
        keccak256(operation.initCode),
        keccak256(operation.callData),
        8n,
        7n,
        9n,
        5n,
        10n,
        keccak256(operation.paymasterAndData),
        validAfter,
        validUntil,
        entryPoint,
      ],
    ),
  )
  const domainSeparator = keccak256(
    encodeAbiParameters(parseAbiParameters('bytes32, uint256, address'), [
      keccak256(toHex('EIP712Domain(uint256 chainId,address verifyingContract)')),
      BigInt(chainId),
      module,
    ]),
  )
  return keccak256(concat(['0x1901', domainSeparator, structHash]))
}

describe('getSafeOperationHash', () => {
  const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

  test.each<[string, SafeOperationContext]>([
    ['default', { chainId: 31337 }],
    ['args: validAfter, validUntil', { chainId: 1, validAfter: 14, validUntil: 15 }],
    [
      'args: module, entryPoint',
      { chainId: 1, module: other, entryPoint: '0x0000000000000000000000000000000000000123' },
    ],
  ])('%s', (_, context) => {
    expect(getSafeOperationHash(operation, context)).toBe(operationHash(context))
  })

  test('behavior: equals the hash of the typed data, also for empty bytes', () => {
    const later = { ...operation, initCode: '0x', paymasterAndData: '0x' } as const
    const context = { chainId: 10, validUntil: 15 }
    expect(getSafeOperationHash(later, context)).toBe(hashTypedData(safeOperationTypedData(later, context)))
  })

  test('error: InvalidAddressError for a wrong checksum', () => {
    const sender = '0x90f79bf6EB2c4f870365E785982E1f101E93b906'
    expect(() => getSafeOperationHash({ ...operation, sender }, { chainId: 1 })).toThrow(InvalidAddressError)
    expect(() => getUserOperationHash({ ...operation, sender }, { chainId: 1 })).toThrow(InvalidAddressError)
  })

  test.each(['validAfter', 'validUntil'] as const)('error: OUT_OF_RANGE, %s', (field) => {
    for (const time of [-1, 2 ** 48])
      expect(() => getSafeOperationHash(operation, { chainId: 1, [field]: time })).toThrow(
        expect.objectContaining({ code: 'OUT_OF_RANGE', details: { field, bits: 48 } }),
      )
  })
})

/** EntryPoint v0.7, `getUserOpHash`. */
function userOperationHash(chainId: bigint, entryPoint: `0x${string}`) {
  const { sender, nonce, initCode, callData, preVerificationGas, paymasterAndData } = operation
  const packed = encodeAbiParameters(
    parseAbiParameters('address, uint256, bytes32, bytes32, bytes32, uint256, bytes32, bytes32'),
    [
      sender,
      nonce,
      keccak256(initCode),
      keccak256(callData),
      concat([uint128(8n), uint128(7n)]),
      preVerificationGas,
      concat([uint128(5n), uint128(10n)]),
      keccak256(paymasterAndData),
    ],
  )
  return keccak256(
    encodeAbiParameters(parseAbiParameters('bytes32, address, uint256'), [
      keccak256(packed),
      entryPoint,
      chainId,
    ]),
  )
}

describe('getUserOperationHash', () => {
  test('default', () => {
    expect(getUserOperationHash(operation, { chainId: 31337 })).toBe(
      userOperationHash(31337n, defaultDeployment.entryPoint),
    )
  })

  test('args: entryPoint', () => {
    const entryPoint = '0x0000000000000000000000000000000000000123'
    expect(getUserOperationHash(operation, { chainId: 1, entryPoint })).toBe(
      userOperationHash(1n, entryPoint),
    )
  })
})

describe('unpackUserOperation', () => {
  const { initCode: _, paymasterAndData: __, ...rest } = operation

  test('default', () => {
    expect(unpackUserOperation(operation)).toEqual({
      ...rest,
      factory: `0x${'11'.repeat(20)}`,
      factoryData: '0x0304',
      paymaster,
      paymasterVerificationGasLimit: 12n,
      paymasterPostOpGasLimit: 13n,
      paymasterData: '0xcafe',
      signature: '0x',
    })
  })

  test('behavior: keeps the signature, and omits absent fields', () => {
    const later = { ...operation, initCode: '0x', paymasterAndData: '0x', signature: '0x51' } as const
    expect(unpackUserOperation(later)).toEqual({ ...rest, signature: '0x51' })
  })

  test('behavior: accepts the shortest complete initCode and paymasterAndData', () => {
    const shortest = { initCode: `0x${'11'.repeat(20)}`, paymasterAndData: `0x${'aa'.repeat(52)}` } as const
    expect(unpackUserOperation({ ...operation, ...shortest })).toMatchObject({
      factoryData: '0x',
      paymasterData: '0x',
    })
  })

  test.each([
    ['initCode', { initCode: `0x${'11'.repeat(19)}` } as const],
    ['paymasterAndData', { paymasterAndData: `0x${'aa'.repeat(51)}` } as const],
  ])('error: MALFORMED, %s', (field, changed) => {
    expect(() => unpackUserOperation({ ...operation, ...changed })).toThrow(
      expect.objectContaining({ code: 'MALFORMED', message: expect.stringContaining(field) }),
    )
  })
})
