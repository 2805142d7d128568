import {
  type Call,
  encodeCalls,
  getSafeOperationHash,
  toWireUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import {
  encodePaymasterAndData,
  getOrderHash,
  type Order,
  stubOperatorSignature,
  toDebits,
} from '@lanyard/smart-balance'
import { hexToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  account,
  nonce,
  now,
  outputNetwork,
  owner,
  plan,
  smartBalance,
  solutionOf,
  thirdParty,
} from '../../test/solutions.ts'
import type { Build, BuildRequest } from '../build.ts'
import { type VerifyBuildParameters, verifyBuild } from '../verify-build.ts'
import { verifyTransactionOptions } from '../verify-transaction-options.ts'
import { toTransactionDetail } from './to-transaction-detail.ts'
import { verifySolution } from './verify-solution.ts'

const own: Call = { to: thirdParty, value: 3n, data: '0xabcdef01' }
const solution = verifySolution({
  solution: solutionOf(),
  request: { outputNetwork, amount: '1000' },
  smartBalance,
  account,
  now,
  plan,
})
const order: Order = {
  paymaster: smartBalance,
  paymasterVerificationGasLimit: 200_000n,
  paymasterPostOpGasLimit: 120_000n,
  claimAmount: plan.claimAmount,
  validUntil: now + 600,
  debits: toDebits(plan.debits),
  signer: owner,
  operatorSignature: stubOperatorSignature,
}
const operation: UserOperation = {
  sender: account,
  nonce,
  initCode: '0x',
  callData: encodeCalls([...solution.calls, own]),
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymasterAndData: encodePaymasterAndData(order),
}
const withOrder = (changed: Partial<Order>): UserOperation => ({
  ...operation,
  paymasterAndData: encodePaymasterAndData({ ...order, ...changed }),
})

/** The shown operation is the one to be signed, so every rejection concerns the order, not the hash. */
function buildOf(built: UserOperation = operation): Build {
  return {
    userOp: toWireUserOperation(built),
    messageToSign: getSafeOperationHash(built, { chainId: outputNetwork }),
    signMode: 'ECDSA',
  }
}

const request: BuildRequest = {
  network: String(outputNetwork),
  walletAddress: account,
  transactionDetails: [...solution.calls, own].map(toTransactionDetail),
  paymasterData: solution.paymasterData,
}
const verify = (build: Build = buildOf(), changed: Partial<VerifyBuildParameters> = {}) =>
  verifyBuild({ build, request, owner, order: { solution, now }, ...changed })
const rejection = (field: string) => expect.objectContaining({ name: 'BuildVerificationError', field })

/** Each entry changes one thing, in the tenth field or in the calls. */
const tampered: [string, UserOperation, string][] = [
  ['no order', { ...operation, paymasterAndData: '0x' }, 'userOp.paymasterAndData'],
  [
    'an extra debit',
    withOrder({ debits: [...order.debits, { chainId: 31340, amount: 1n, failFee: 0n }] }),
    'userOp.paymasterAndData.debits',
  ],
  [
    'a larger debit',
    withOrder({ debits: order.debits.map((debit) => ({ ...debit, amount: debit.amount + 1n })) }),
    'userOp.paymasterAndData.debits',
  ],
  [
    'a debit on another network',
    withOrder({ debits: order.debits.map((debit) => ({ ...debit, chainId: debit.chainId + 10 })) }),
    'userOp.paymasterAndData.debits',
  ],
  [
    'a larger failFee',
    withOrder({ debits: order.debits.map((debit) => ({ ...debit, failFee: debit.failFee + 1n })) }),
    'userOp.paymasterAndData.failFees',
  ],
  ['a smaller loan', withOrder({ claimAmount: 899n }), 'userOp.paymasterAndData.claimAmount'],
  [
    'another signer',
    withOrder({ signer: { kind: 'eoa', address: thirdParty } }),
    'userOp.paymasterAndData.signer',
  ],
  ['valid for longer', withOrder({ validUntil: now + 700 }), 'userOp.paymasterAndData.validUntil'],
  ['expired', withOrder({ validUntil: now - 61 }), 'userOp.paymasterAndData.validUntil'],
  ['another contract', withOrder({ paymaster: thirdParty }), 'userOp.paymasterAndData.paymaster'],
  [
    'no gas for postOp',
    withOrder({ paymasterPostOpGasLimit: 1n }),
    'userOp.paymasterAndData.paymasterPostOpGasLimit',
  ],
  [
    'trailing bytes',
    { ...operation, paymasterAndData: `${operation.paymasterAndData}00` },
    'userOp.paymasterAndData',
  ],
  ['another nonce', { ...operation, nonce: nonce + 1n }, 'userOp.callData'],
  [
    'no claim',
    { ...operation, callData: encodeCalls([...solution.calls.slice(0, 1), own]) },
    'userOp.callData',
  ],
  [
    'an extra call',
    { ...operation, callData: encodeCalls([...solution.calls, own, own]) },
    'userOp.callData',
  ],
  [
    "the caller's calls first",
    { ...operation, callData: encodeCalls([own, ...solution.calls]) },
    'userOp.callData',
  ],
]

test('behavior: an order that the caller supplies verbatim is not checked', () => {
  const { paymasterAndData } = operation
  const { userOp } = buildOf()
  const verbatim = { ...request, paymasterData: paymasterAndData }
  expect(
    verify({ ...buildOf(), userOp }, { request: verbatim, order: undefined }).operation.paymasterAndData,
  ).toBe(paymasterAndData)
})

test('error: a marker without the expected order', () => {
  expect(() => verify(buildOf(), { order: undefined })).toThrow('`order` must say what is expected')
})

describe('verifyBuild of a solution', () => {
  test('default', () => {
    const { order: verified, calls } = verify()
    expect(calls).toEqual([...solution.calls, own])
    expect(verified).toEqual({
      ...solution,
      validUntil: now + 600,
      orderHash: getOrderHash({ order, operation, chainId: outputNetwork }),
    })
  })

  test.each(tampered)('error: %s', (_, built, field) => {
    expect(() => verify(buildOf(built))).toThrow(rejection(field))
  })

  test('error: messageToSign', () => {
    const other = buildOf({ ...operation, callGasLimit: 1n })
    expect(() => verify({ ...other, userOp: buildOf().userOp })).toThrow(rejection('messageToSign'))
  })

  test('error: the expected order is missing', () => {
    expect(() => verify(buildOf(), { order: undefined })).toThrow(TypeError)
    const other = { ...solution, orderId: `0x${'cd'.repeat(32)}` } as const
    expect(() => verify(buildOf(), { order: { solution: other, now } })).toThrow(TypeError)
  })
})

describe('verifyBuild with orderData', () => {
  const requested: BuildRequest = {
    network: String(outputNetwork),
    walletAddress: account,
    transactionDetails: [toTransactionDetail(own)],
    orderData: { amount: '1000', limit: '1030' },
  }
  const answer = (built?: UserOperation): Build => ({ ...buildOf(built), order: solutionOf() })
  const verifyData = (build: Build = answer(), changed: Partial<VerifyBuildParameters> = {}) =>
    verifyBuild({ build, request: requested, owner, order: { smartBalance, now, plan }, ...changed })

  test('default', () => {
    expect(verifyData()).toMatchObject({
      calls: [...solution.calls, own],
      order: { fee: 30n, total: 1_030n },
    })
  })

  test.each(tampered)('error: %s', (_, built, field) => {
    expect(() => verifyData(answer(built))).toThrow(rejection(field))
  })

  test('error: order', () => {
    expect(() => verifyData(buildOf())).toThrow(rejection('order'))
    const dearer = { ...solutionOf(), fee: '31' }
    expect(() => verifyData({ ...answer(), order: dearer })).toThrow(rejection('order.total'))
    const request = { ...requested, orderData: { amount: '1000', limit: '1029' } }
    expect(() => verifyData(answer(), { request })).toThrow(rejection('order.total'))
    const quote = { amount: '1000', fee: '29', total: '1029' }
    expect(() => verifyData(answer(), { order: { smartBalance, now, quote } })).toThrow(
      rejection('order.fee'),
    )
  })

  test('error: SmartBalance is not the contract that the caller expects', () => {
    expect(() => verifyData(answer(), { order: { smartBalance: thirdParty, now } })).toThrow(
      rejection('order.signatures.paymaster'),
    )
  })

  test('error: the expected order is missing', () => {
    expect(() => verifyData(answer(), { order: undefined })).toThrow(TypeError)
    expect(() => verifyData(answer(), { order: { solution } })).toThrow(TypeError)
  })
})

describe('verifyTransactionOptions with orderData', () => {
  const challengeOf = (built: UserOperation) =>
    Buffer.from(hexToBytes(getSafeOperationHash(built, { chainId: outputNetwork }))).toString('base64url')
  const verifyOptions = (built: UserOperation = operation, known = false) =>
    verifyTransactionOptions({
      options: {
        userOp: toWireUserOperation(built),
        challenge: challengeOf(built),
        order: solutionOf(),
      },
      request: { transactionDetails: [toTransactionDetail(own)], orderData: { amount: '1000' } },
      owner: known ? { kind: 'account', address: account } : owner,
      network: outputNetwork,
      order: { smartBalance, now, plan },
    })

  test('default', () => {
    expect(verifyOptions()).toMatchObject({ order: { orderId: solution.orderId } })
  })

  test("behavior: if the owner's key is unknown, the order may name any signer", () => {
    const other = withOrder({ signer: { kind: 'eoa', address: thirdParty } })
    expect(() => verifyOptions(other, true)).not.toThrow()
    expect(() => verifyOptions(other)).toThrow(rejection('userOp.paymasterAndData.signer'))
  })

  test.each(tampered)('error: %s', (_, built, field) => {
    expect(() => verifyOptions(built)).toThrow(rejection(field))
  })
})

describe('verifyBuild without an order', () => {
  const plain: BuildRequest = {
    network: String(outputNetwork),
    walletAddress: account,
    transactionDetails: [toTransactionDetail(own)],
  }
  const verifyPlain = (request: BuildRequest, built: UserOperation) =>
    verifyBuild({
      build: buildOf({ ...built, callData: encodeCalls([own]) }),
      request,
      owner,
    })

  test('behavior: a sponsored build may not contain debits', () => {
    const sponsored = { ...plain, paymasterData: 'sponsored' }
    const sponsorship = withOrder({ claimAmount: 0n, debits: [] })
    expect(verifyPlain(sponsored, sponsorship)).toMatchObject({ calls: [own] })
    expect(() => verifyPlain(sponsored, operation)).toThrow(rejection('userOp.paymasterAndData'))
    const owing = withOrder({ claimAmount: 0n, debits: order.debits.slice(1) })
    expect(() => verifyPlain(sponsored, owing)).toThrow(rejection('userOp.paymasterAndData'))
  })

  test('behavior: rejects an order that was not requested', () => {
    expect(() => verifyPlain(plain, operation)).toThrow(rejection('userOp.paymasterAndData'))
  })
})
