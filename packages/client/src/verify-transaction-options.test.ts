import {
  type Call,
  computeAccountAddress,
  defaultVerifiers,
  encodeCalls,
  encodeInitCode,
  getSafeOperationHash,
  getUserOperationHash,
  requiredPrefund,
  safeOperationTypedData,
  toWireUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import { hexToBytes, parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  type TransactionOptions,
  type VerifyTransactionOptionsParameters,
  verifyTransactionOptions,
} from './verify-transaction-options.ts'

/** The base point of P-256 (SEC 2 v2.0 §2.4.2), a key that is on the curve. */
const owner = {
  kind: 'passkey',
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  verifiers: defaultVerifiers,
} as const
const account = computeAccountAddress(owner)
const thirdParty = { kind: 'eoa', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' } as const
const calls = [
  { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: parseEther('0.5'), data: '0x' },
  { to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906', value: 0n, data: '0xabcdef01' },
] as const satisfies readonly Call[]
const paymasterAndData = `0x${'22'.repeat(52)}` as const
const operation: UserOperation = {
  sender: account,
  nonce: 7n,
  initCode: encodeInitCode(owner),
  callData: encodeCalls(calls),
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymasterAndData: '0x',
}
const challengeOf = (signed: UserOperation, validity = {}) =>
  Buffer.from(hexToBytes(getSafeOperationHash(signed, { chainId: 31337, ...validity }))).toString('base64url')

/** A response that shows `shown` with the challenge of `signed`. It is honest if both are the same. */
function answer(shown: UserOperation = operation, signed: UserOperation = shown): TransactionOptions {
  const { paymasterAndData: _, ...nine } = toWireUserOperation({ ...shown, paymasterAndData: '0x' })
  const { sender, initCode, callData, paymasterAndData: tenth } = shown
  const filled = tenth === '0x' ? {} : { paymasterAndData: tenth }
  return { challenge: challengeOf(signed), userOp: { ...nine, sender, initCode, callData, ...filled } }
}

const requested: Omit<VerifyTransactionOptionsParameters, 'options'> = {
  owner,
  network: '31337',
  request: {
    transactionDetails: calls.map(({ to, value, data }) => ({
      targetContractAddress: to,
      value: value.toString(),
      encodedData: data,
    })),
  },
}
const verify = (
  options: TransactionOptions,
  changed: Partial<Omit<VerifyTransactionOptionsParameters, 'options'>> = {},
) => verifyTransactionOptions({ ...requested, ...changed, options })
const rejection = (field: string) => expect.objectContaining({ name: 'BuildVerificationError', field })

describe('verifyTransactionOptions', () => {
  test('default', () => {
    expect(verify(answer())).toEqual({
      operation,
      userOpHash: getUserOperationHash(operation, { chainId: 31337 }),
      account,
      calls,
      hash: getSafeOperationHash(operation, { chainId: 31337 }),
      typedData: safeOperationTypedData(operation, { chainId: 31337 }),
      cost: requiredPrefund(operation),
    })
  })

  test('args: owner given only as an account', () => {
    const known = { kind: 'account', address: account } as const
    expect(verify(answer(), { owner: known }).account).toBe(account)
    expect(verify(answer({ ...operation, initCode: '0x' }), { owner: known }).account).toBe(account)
    const wrong = { kind: 'account', address: thirdParty.address } as const
    expect(() => verify(answer(), { owner: wrong })).toThrow(rejection('userOp.sender'))
    const external = { ...operation, initCode: encodeInitCode(thirdParty) }
    expect(() => verify(answer(external), { owner: known })).toThrow(rejection('userOp.initCode'))
  })

  test.each<VerifyTransactionOptionsParameters['network']>([31337, '31337', 'eip155:31337'])(
    'args: network %o',
    (network) => {
      expect(() => verify(answer(), { network })).not.toThrow()
    },
  )

  test('args: paymasterData', () => {
    const paid = { ...operation, paymasterAndData }
    const withRequest = (paymasterData: string) => ({ request: { ...requested.request, paymasterData } })
    expect(() => verify(answer(paid), withRequest(paymasterAndData))).not.toThrow()
    expect(() => verify(answer(paid), withRequest('sponsored'))).not.toThrow()
    // The response does not have to repeat the caller's own data, which is signed anyway.
    const unrepeated = answer(operation, paid)
    expect(() => verify(unrepeated, withRequest(paymasterAndData))).not.toThrow()
    const another = `0x${'33'.repeat(52)}`
    expect(() => verify(answer(paid), withRequest(another))).toThrow(rejection('userOp.paymasterAndData'))
    expect(() => verify(unrepeated, withRequest(another))).toThrow(rejection('challenge'))
  })

  test('args: maximumCost', () => {
    const cost = requiredPrefund(operation)
    expect(() => verify(answer(), { maximumCost: cost })).not.toThrow()
    expect(() => verify(answer(), { maximumCost: cost - 1n })).toThrow(rejection('userOp.maxFeePerGas'))
  })

  test('behavior: the time bounds in the response are the signed ones', () => {
    const bounds = { validAfter: 1_700_000_000, validUntil: 1_900_000_000 }
    const bound = {
      ...answer(),
      challenge: challengeOf(operation, bounds),
      validAfter: '1700000000',
      validUntil: '1900000000',
    }
    expect(() => verify(bound)).not.toThrow()
    expect(() => verify({ ...bound, validUntil: '1900000001' })).toThrow(rejection('challenge'))
    expect(() => verify({ ...bound, validAfter: undefined })).toThrow(rejection('challenge'))
    expect(() => verify({ ...bound, validAfter: '1e9' })).toThrow(rejection('validAfter'))
    expect(() => verify({ ...bound, validUntil: String(2 ** 48) })).toThrow(rejection('validUntil'))
  })

  // The shown operation differs from the signed one.
  test.each<[Partial<UserOperation>, string]>([
    [{ sender: thirdParty.address }, 'userOp.sender'],
    [{ initCode: encodeInitCode(thirdParty) }, 'userOp.initCode'],
    [{ initCode: `0x${'11'.repeat(20)}` }, 'userOp.initCode'],
    [{ initCode: '0x' }, 'challenge'],
    [{ callData: encodeCalls([calls[1], calls[0]]) }, 'userOp.callData'],
    [{ callData: encodeCalls([calls[0]]) }, 'userOp.callData'],
    [{ callData: '0x' }, 'userOp.callData'],
    [{ nonce: 8n }, 'challenge'],
    [{ callGasLimit: 100_001n }, 'challenge'],
    [{ verificationGasLimit: 200_001n }, 'challenge'],
    [{ preVerificationGas: 50_001n }, 'challenge'],
    [{ maxFeePerGas: 3_000_000_000n }, 'challenge'],
    [{ maxPriorityFeePerGas: 2_000_000_000n }, 'challenge'],
    [{ paymasterAndData }, 'userOp.paymasterAndData'],
  ])('error: shows %o, names %s', (changed, field) => {
    expect(() => verify(answer({ ...operation, ...changed }, operation))).toThrow(rejection(field))
  })

  // The shown operation is the signed one, but not the requested one.
  test.each<[Partial<UserOperation>, string]>([
    [{ sender: thirdParty.address }, 'userOp.sender'],
    [{ initCode: encodeInitCode({ ...owner, verifiers: 1n }) }, 'userOp.initCode'],
    [{ callData: encodeCalls([...calls, calls[0]]) }, 'userOp.callData'],
    [{ callData: encodeCalls([{ ...calls[0], value: 1n }, calls[1]]) }, 'userOp.callData'],
    [{ callData: encodeCalls([calls[0], { ...calls[1], data: '0xabcdef' }]) }, 'userOp.callData'],
    [{ callData: encodeCalls([{ ...calls[0], to: calls[1].to }, calls[1]]) }, 'userOp.callData'],
    [{ paymasterAndData }, 'userOp.paymasterAndData'],
  ])('error: builds %o, names %s', (changed, field) => {
    expect(() => verify(answer({ ...operation, ...changed }))).toThrow(rejection(field))
  })

  test('error: a challenge for another network', () => {
    expect(() => verify(answer(), { network: 1 })).toThrow(rejection('challenge'))
  })

  test.each(['', 'AA', `${challengeOf(operation)}A`, `${challengeOf(operation).slice(0, 42)}!`])(
    'error: challenge %o is not 32 bytes',
    (challenge) => {
      expect(() => verify({ ...answer(), challenge })).toThrow(rejection('challenge'))
    },
  )

  test.each(['nonce', 'callGasLimit', 'maxFeePerGas'] as const)('error: malformed %s', (field) => {
    const { userOp, ...options } = answer()
    expect(() => verify({ ...options, userOp: { ...userOp, [field]: '1e3' } })).toThrow(
      rejection(`userOp.${field}`),
    )
  })
})
