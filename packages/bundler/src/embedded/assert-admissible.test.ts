import {
  delegatedDeployment,
  delegationInitCode,
  encodeSignature,
  type SignedUserOperation,
} from '@lanyard/accounts'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { concat, type Hex, numberToHex, pad } from 'viem'
import { expect, test } from 'vitest'
import { assertAdmissible } from './assert-admissible.ts'
import type { EmbeddedContext } from './context.ts'
import { estimateForRelayer } from './embedded-bundler.ts'

const known = '0x00000000000000000000000000000000000000a1'
const own = '0x00000000000000000000000000000000000000a2'
const external = '0x00000000000000000000000000000000000000a3'

const network = (more: object = {}) => ({
  config: networkConfig.parse({
    ...{ chainId: 1, name: 'Real', rpcUrls: ['https://rpc.example'], paymasters: [known], smartBalance: own },
    settlementToken: { address: known, symbol: 'USD', decimals: 6 },
    nativePrice: { kind: 'fixed', price: '1' },
    ...more,
  }),
})
const signatureOf = (bytes: number) =>
  encodeSignature({ validAfter: 0, validUntil: 0, signatures: pad('0x', { size: bytes }) })
const operation = (more: Partial<SignedUserOperation> = {}): SignedUserOperation => ({
  sender: known,
  nonce: 0n,
  initCode: '0x',
  callData: '0x',
  callGasLimit: 100_000n,
  verificationGasLimit: 100_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
  paymasterAndData: '0x',
  signature: signatureOf(65),
  ...more,
})
const paidBy = (paymaster: Hex, gas = 50_000n) =>
  operation({
    paymasterAndData: concat([paymaster, numberToHex(gas, { size: 16 }), numberToHex(0n, { size: 16 })]),
  })
const codeOf = (given: SignedUserOperation, of = network()) => {
  try {
    assertAdmissible(of, given)
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('default: an account that pays itself, the own paymaster, and those in the list', () => {
  expect(codeOf(operation())).toBeUndefined()
  expect(codeOf(paidBy(own))).toBeUndefined()
  expect(codeOf(paidBy(known))).toBeUndefined()
})

test('error: PAYMASTER_REFUSED for any other paymaster, except on a local network', () => {
  expect(codeOf(paidBy(external))).toBe('PAYMASTER_REFUSED')
  expect(
    codeOf(paidBy(external), network({ local: true, rpcUrls: ['http://127.0.0.1:8545'] })),
  ).toBeUndefined()
})

test('error: PAYMASTER_REFUSED also for an estimate, before any request', async () => {
  const { config } = network()
  const context = { network: createNetworks([config]).get(1) } as EmbeddedContext // the rest is not read
  await expect(estimateForRelayer(context, { operation: paidBy(external) }, known)).rejects.toMatchObject({
    code: 'PAYMASTER_REFUSED',
    details: { paymaster: external },
  })
})

test('error: OPERATION_REFUSED for validation that could burn more than its kind of signature needs', () => {
  const key = signatureOf(65)
  const contract = signatureOf(500)
  for (const [signature, initCode, most] of [
    [key, '0x', 700_000n],
    [contract, '0x', 2_000_000n],
    [key, '0x01', 1_400_000n],
    [contract, '0x01', 2_700_000n],
  ] as const) {
    expect(codeOf(operation({ signature, initCode, verificationGasLimit: most }))).toBeUndefined()
    expect(codeOf(operation({ signature, initCode, verificationGasLimit: most + 1n }))).toBe(
      'OPERATION_REFUSED',
    )
  }
  expect(codeOf(paidBy(known, 1_000_001n))).toBe('OPERATION_REFUSED')
})

test('error: OPERATION_REFUSED for a delegated EOA above 120,000, with an authorisation too', () => {
  const both = network({ accountKinds: ['safe', 'eip7702'] })
  const { entryPoint } = delegatedDeployment
  const of = (verificationGasLimit: bigint, initCode: Hex) =>
    codeOf(operation({ entryPoint, initCode, verificationGasLimit }), both)
  for (const initCode of ['0x', delegationInitCode] as const) {
    expect([of(120_000n, initCode), of(120_001n, initCode)]).toEqual([undefined, 'OPERATION_REFUSED'])
  }
})
