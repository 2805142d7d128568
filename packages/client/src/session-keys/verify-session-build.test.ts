import {
  type Call,
  computeAccountAddress,
  encodeCalls,
  getSafeOperationHash,
  getUserOperationHash,
  safeOperationTypedData,
  toWireUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import { encodeSessionExecute } from '@lanyard/session-keys'
import { type Address, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { solutionOf } from '../../test/solutions.ts'
import type { Build, BuildRequest } from '../build.ts'
import { sessionKeyOfAccount } from './session-key-signer.ts'
import { signSessionBuild } from './sign-session-build.ts'
import { type VerifySessionBuildParameters, verifySessionBuild } from './verify-session-build.ts'

const sessionKeys: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const thirdParty: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const account = computeAccountAddress({ kind: 'eoa', address: thirdParty })
// Well-known PUBLIC key of the local networks.
const key = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const calls: readonly Call[] = [{ to: thirdParty, value: 1n, data: '0x' }]
const payment = (made: readonly Call[], to = sessionKeys, of: Address = key.address) =>
  encodeCalls([encodeSessionExecute({ sessionKeys: to, key: of, calls: made })])

const operation: UserOperation = {
  sender: account,
  nonce: (5n << 64n) + 7n,
  initCode: '0x',
  callData: payment(calls),
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 2n,
  maxPriorityFeePerGas: 1n,
  paymasterAndData: '0x',
}
const cost = 2n * 350_000n
const request: BuildRequest = {
  network: '31337',
  walletAddress: account,
  signMode: 'SESSION_KEY',
  sessionKey: key.address,
  transactionDetails: [{ targetContractAddress: thirdParty, value: '1', encodedData: '0x' }],
}

/** The shown operation is the one to be signed, so a rejection never concerns only the hash. */
function buildOf(changed: Partial<UserOperation> = {}): Build {
  const built = { ...operation, ...changed }
  const { paymasterAndData, ...userOp } = toWireUserOperation(built)
  return {
    userOp: { ...userOp, ...(built.paymasterAndData === '0x' ? {} : { paymasterAndData }) },
    messageToSign: getSafeOperationHash(built, { chainId: 31337 }),
    signMode: 'SESSION_KEY',
  }
}

const verify = (changed: Partial<VerifySessionBuildParameters> = {}) =>
  verifySessionBuild({ build: buildOf(), request, key: key.address, account, sessionKeys, ...changed })
const rejection = (field: string) => expect.objectContaining({ name: 'BuildVerificationError', field })

describe('verifySessionBuild', () => {
  test('default: returns the calls that the account will make', () => {
    expect(verify()).toEqual({
      operation,
      account,
      calls,
      hash: getSafeOperationHash(operation, { chainId: 31337 }),
      typedData: safeOperationTypedData(operation, { chainId: 31337 }),
      userOpHash: getUserOperationHash(operation, { chainId: 31337 }),
      cost,
    })
  })

  test('args: a P-256 key', () => {
    const point = { x: 1n, y: 2n }
    const execute = encodeSessionExecute({ sessionKeys, key: point, calls })
    const build = buildOf({ callData: encodeCalls([execute]) })
    const requested = { ...request, sessionKey: { x: '1', y: '0x2' } }
    expect(verify({ build, request: requested, key: point }).calls).toEqual(calls)
    expect(() => verify({ build, request: requested, key: { x: 1n, y: 3n } })).toThrow(
      rejection('sessionKey'),
    )
  })

  test('args: paymasterData', () => {
    const paymasterAndData = `0x${'22'.repeat(52)}` as const
    const build = buildOf({ paymasterAndData })
    expect(() => verify({ build, request: { ...request, paymasterData: paymasterAndData } })).not.toThrow()
    expect(() => verify({ build })).toThrow(rejection('userOp.paymasterAndData'))
  })

  test('args: maximumCost', () => {
    expect(verify({ maximumCost: cost }).cost).toBe(cost)
    expect(() => verify({ maximumCost: cost - 1n })).toThrow(rejection('userOp.maxFeePerGas'))
  })

  test('error: signMode, in the build or in the request', () => {
    expect(() => verify({ build: { ...buildOf(), signMode: 'ECDSA' } })).toThrow(rejection('signMode'))
    const { signMode: _, ...without } = request
    expect(() => verify({ request: without })).toThrow(rejection('signMode'))
  })

  test('error: sessionKey, a different one or none', () => {
    expect(() => verify({ key: thirdParty })).toThrow(rejection('sessionKey'))
    const { sessionKey: _, ...without } = request
    expect(() => verify({ request: without })).toThrow(rejection('sessionKey'))
  })

  test('error: order', () => {
    expect(() => verify({ build: { ...buildOf(), order: solutionOf() } })).toThrow(rejection('order'))
  })

  test('error: messageToSign', () => {
    expect(() => verify({ request: { ...request, network: '1' } })).toThrow(rejection('messageToSign'))
  })

  test.each<[string, Partial<UserOperation>]>([
    ['another amount', { callData: payment([{ to: thirdParty, value: 2n, data: '0x' }]) }],
    ['an extra call', { callData: payment([...calls, ...calls]) }],
    ['no call', { callData: payment([]) }],
    ['another contract', { callData: payment(calls, thirdParty) }],
    ['another key', { callData: payment(calls, sessionKeys, thirdParty) }],
    ['the calls without the session contract', { callData: encodeCalls(calls) }],
  ])('error: userOp.callData, %s', (_, changed) => {
    expect(() => verify({ build: buildOf(changed) })).toThrow(rejection('userOp.callData'))
  })

  test('error: userOp.sender', () => {
    expect(() => verify({ build: buildOf({ sender: thirdParty }) })).toThrow(rejection('userOp.sender'))
    expect(() => verify({ account: thirdParty })).toThrow(rejection('userOp.sender'))
  })
})

describe('signSessionBuild', () => {
  const sign = (build: Build) =>
    signSessionBuild({ build, request, account, sessionKeys, signer: sessionKeyOfAccount(key) })

  test('default: signs the hash itself', async () => {
    const build = buildOf()
    const hash = getSafeOperationHash(operation, { chainId: 31337 })
    expect(await recoverAddress({ hash, signature: await sign(build) })).toBe(key.address)
  })

  test('behavior: an account that signs no bare hashes signs the same as typed data', async () => {
    const { address, signTypedData } = key
    const signer = sessionKeyOfAccount({ address, signTypedData })
    const hash = getSafeOperationHash(operation, { chainId: 31337 })
    const signature = await signSessionBuild({ build: buildOf(), request, account, sessionKeys, signer })
    expect(await recoverAddress({ hash, signature })).toBe(key.address)
  })

  test('behavior: does not sign a build that fails verification', async () => {
    let requested = 0
    const signer = {
      ...sessionKeyOfAccount(key),
      sign: async () => {
        requested += 1
        return '0x' as const
      },
    }
    const build = buildOf({ sender: thirdParty })
    await expect(signSessionBuild({ build, request, account, sessionKeys, signer })).rejects.toThrow(
      rejection('userOp.sender'),
    )
    expect(requested).toBe(0)
  })
})
