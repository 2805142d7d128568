// @promise 13
import type { Call } from '@lanyard/accounts'
import { devTokenAbi, safeAbi, sessionKeysAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  compilePermissions,
  encodeGrant,
  encodeRevoke,
  explainRefusal,
  type Permission,
  type Session,
  sessionKeyId,
  sessionNonceKey,
  stubSessionSignature,
  stubShortfallGas,
} from '../src/index.ts'
import { type Chain, ownerAt, sessionKeys, startChain, token } from './chain.ts'
import { ecdsaKey, type SoftwareKey, webCryptoKey } from './software-keys.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

const recipient: Address = '0x00000000000000000000000000000000000A11cE'

const permissions: Permission[] = [
  { type: 'native-token-allowance', allowance: parseEther('1').toString(), to: [recipient] },
  { type: 'erc20-token-allowance', token, allowance: '100000000', period: 3600, to: [recipient] },
  { type: 'gas-fee-allowance', allowance: parseEther('1').toString(), operations: 20 },
]

async function compile(on = chain): Promise<Session> {
  const now = await on.now()
  const result = compilePermissions(permissions, { validAfter: now, validUntil: now + 3600 })
  if (!result.ok) throw new TypeError(JSON.stringify(result.problems))
  return result.session
}

function transfer(amount: bigint): Call {
  const data = encodeFunctionData({ abi: devTokenAbi, functionName: 'transfer', args: [recipient, amount] })
  return { to: token, value: 0n, data }
}

/** Deploys the owner's account and grants a session to `key`, in one operation. */
async function grant(ownerIndex: number, { key }: SoftwareKey, on = chain) {
  const owner = ownerAt(ownerIndex)
  const account = await on.fund(owner)
  const session = await compile(on)
  const calls = encodeGrant({ account, sessionKeys, key, session, isOwner: false, isModule: false })
  const result = await on.submitAsOwner(owner, calls)
  return { owner, account, session, result, state: await on.sessionOf(account, sessionKeyId(key)) }
}

describe.each([
  ['ECDSA', 1, async () => ecdsaKey()],
  ['P-256 of WebCrypto', 2, webCryptoKey],
] as const)('a session of %s', (_, index, makeKey) => {
  test('behavior: is granted at deployment, acts within its limits, and leaves nothing behind when revoked', async () => {
    const softwareKey = await makeKey()
    const { key, sign } = softwareKey
    const { owner, account, session, result, state } = await grant(index, softwareKey)
    expect(result).toMatchObject({ success: true })
    expect(state.session).toEqual(session)
    expect(state.nonceKey).toBe(sessionNonceKey(state.id))
    expect(await chain.thresholdOf(account)).toBe(1n)
    expect(await chain.ownersOf(account)).toEqual([sessionKeys, owner.address])

    const act = async (calls: readonly Call[]) => {
      const operation = await chain.sessionOperation(state, { account, key, calls })
      return chain.submit(await chain.signAsSession(operation, state, key, sign))
    }
    const before = await chain.balanceOf(recipient)
    const first = await act([transfer(60_000_000n), { to: recipient, value: parseEther('0.5'), data: '0x' }])
    expect(first).toMatchObject({ success: true, userOpHash: first.expectedHash })
    expect(await chain.balanceOf(recipient)).toBe(before + 60_000_000n)

    const left = await chain.sessionOf(account, sessionKeyId(key))
    expect(left.left).toEqual([parseEther('0.5'), 40_000_000n])
    expect(left.operationsLeft).toBe(19)

    const exceeding = await act([transfer(40_000_001n)])
    expect(exceeding.success).toBe(false)
    expect(explainRefusal(exceeding.revertReason ?? '0x')).toMatchObject({ rule: 'AllowanceExceeded' })

    const remove = { owners: await chain.ownersOf(account), modules: await chain.modulesOf(account) }
    const revoke = encodeRevoke({ account, sessionKeys, key, remove })
    expect(await chain.submitAsOwner(owner, revoke)).toMatchObject({ success: true })
    expect(await chain.ownersOf(account)).toEqual([owner.address])
    expect(await chain.modulesOf(account)).toEqual(remove.modules.filter((module) => module !== sessionKeys))
    await expect(act([transfer(1n)])).rejects.toThrow('AA24')
  })
})

describe('stubSessionSignature', () => {
  test.each([
    ['ECDSA', 3, async () => ecdsaKey()],
    ['P-256', 4, webCryptoKey],
  ] as const)(
    'behavior: is as long and as costly as the real one, and is rejected: %s',
    async (_, index, makeKey) => {
      const softwareKey = await makeKey()
      const { key, sign } = softwareKey
      const { account, state } = await grant(index, softwareKey)
      const operation = await chain.sessionOperation(state, { account, key, calls: [transfer(1n)] })
      const signed = await chain.signAsSession(operation, state, key, sign)
      const { validAfter, validUntil } = state.session
      const signature = stubSessionSignature({ operation, validAfter, validUntil, sessionKeys, key })
      expect(signature.length).toBe(signed.signature.length)
      await expect(chain.submit({ ...operation, signature })).rejects.toThrow('AA24')
      const [stub, real] = await Promise.all(
        [signature, signed.signature].map((each) => chain.validationGas({ ...operation, signature: each })),
      )
      expect(stub).toBeGreaterThanOrEqual((real ?? Number.POSITIVE_INFINITY) - Number(stubShortfallGas))
      // Although a bundler estimates with its own limits, which the stub then does not contain.
      const other = { ...operation, verificationGasLimit: 9_000_000n, callGasLimit: 0n }
      expect(Math.abs((await chain.validationGas({ ...other, signature })) - (stub ?? 0))).toBeLessThan(500)
    },
  )
})

test('behavior: an approval ends with its operation', async () => {
  const softwareKey = ecdsaKey()
  const { key, sign } = softwareKey
  const { account, state } = await grant(6, softwareKey)
  const allowance = () =>
    chain.client.readContract({
      address: token,
      abi: devTokenAbi,
      functionName: 'allowance',
      args: [account, recipient],
    })
  const data = encodeFunctionData({ abi: devTokenAbi, functionName: 'approve', args: [recipient, 100n] })
  const operation = await chain.sessionOperation(state, {
    account,
    key,
    calls: [{ to: token, value: 0n, data }],
  })
  const signed = await chain.signAsSession(operation, state, key, sign)
  expect(await chain.submit(signed)).toMatchObject({ success: true })
  expect(await allowance()).toBe(0n)
  expect((await chain.sessionOf(account, sessionKeyId(key))).left[1]).toBe(99_999_900n)
})

test('behavior: a target that became a module after the grant is refused', async () => {
  const softwareKey = ecdsaKey()
  const { key, sign } = softwareKey
  const { owner, account, state } = await grant(7, softwareKey)
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [recipient] })
  expect(await chain.submitAsOwner(owner, [{ to: account, value: 0n, data }])).toMatchObject({
    success: true,
  })
  const calls = [{ to: recipient, value: 1n, data: '0x' }] as const
  const operation = await chain.sessionOperation(state, { account, key, calls })
  const result = await chain.submit(await chain.signAsSession(operation, state, key, sign))
  expect(result.success).toBe(false)
  expect(explainRefusal(result.revertReason ?? '0x')).toMatchObject({ rule: 'ForbiddenTarget' })
})

test('behavior: P-256 works without the precompile', async () => {
  await using prague = await startChain({ hardfork: 'prague' })
  const softwareKey = await webCryptoKey()
  const { key, sign } = softwareKey
  const { account, state } = await grant(1, softwareKey, prague)
  const operation = await prague.sessionOperation(state, { account, key, calls: [transfer(1n)] })
  const result = await prague.submit(await prague.signAsSession(operation, state, key, sign))
  expect(result).toMatchObject({ success: true })
})

test('behavior: a second session needs only a grant; revoking it leaves the contract in place', async () => {
  const first = ecdsaKey()
  const { owner, account, session } = await grant(5, first)
  const second = ecdsaKey()
  const calls = encodeGrant({ account, sessionKeys, key: second.key, session, isOwner: true, isModule: true })
  expect(calls).toHaveLength(1)
  expect(await chain.submitAsOwner(owner, calls)).toMatchObject({ success: true })
  const revoke = encodeRevoke({ account, sessionKeys, key: second.key })
  expect(revoke).toHaveLength(1)
  expect(await chain.submitAsOwner(owner, revoke)).toMatchObject({ success: true })
  const keys = await chain.client.readContract({
    address: sessionKeys,
    abi: sessionKeysAbi,
    functionName: 'keysOf',
    args: [account],
  })
  expect(keys).toEqual([sessionKeyId(first.key)])
})
