import { countRequests } from '@lanyard/networks'
import { safeAbi, sessionKeysAbi } from '@lanyard/onchain'
import type { Permission } from '@lanyard/session-keys'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, encodeFunctionData, type Hex, pad, parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findWallet } from '../../src/domain/accounts/accounts/wallet.ts'
import { planGrant } from '../../src/domain/session-keys/plan-grant.ts'
import { sign } from '../orders/order-service.ts'
import {
  ecdsaKey,
  fees,
  payee,
  payment,
  type SessionService,
  startSessionService,
  webCryptoKey,
} from './session-service.ts'

const chainId = 31337
const sentinel: Address = '0x0000000000000000000000000000000000000001'
const included = { status: 200, body: { success: true } }

let service: SessionService
beforeAll(async () => {
  service = await startSessionService({ chainIds: [chainId] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const ether = { type: 'native-token-allowance', allowance: parseEther('1').toString() }

/** The parts of an account that a session changes and that the session's end restores. */
async function configurationOf(address: Address) {
  const { chain } = service.on(chainId)
  const safe = { address, abi: safeAbi } as const
  const [owners, threshold, [modules]] = await Promise.all([
    chain.readContract({ ...safe, functionName: 'getOwners' }),
    chain.readContract({ ...safe, functionName: 'getThreshold' }),
    chain.readContract({ ...safe, functionName: 'getModulesPaginated', args: [sentinel, 10n] }),
  ])
  return { owners, threshold, modules }
}

const buildCall = ({ address }: { address: string }, targetContractAddress: string, encodedData: Hex) =>
  service.build({
    network: String(chainId),
    walletAddress: address,
    transactionDetails: [{ targetContractAddress, value: '0', encodedData }],
  })

/** Creates an account with a session for each key. */
async function createEnabled(...keys: readonly { sessionKey: string }[]) {
  const wallet = await service.createFundedWallet([chainId])
  for (const key of keys) {
    const plan = await service.enable(wallet, chainId, key, [ether, fees])
    expect(await service.approve(wallet, plan)).toMatchObject(included)
  }
  return wallet
}

describe('session-key/disable', () => {
  test('default: a disabled key can do nothing; disabling the last key restores the account', async () => {
    const wallet = await service.createFundedWallet([chainId])
    const deploying = await service.build({ network: String(chainId), walletAddress: wallet.address })
    await service.submit({
      walletAddress: wallet.address,
      signature: await sign.personal(wallet.owner, deploying.body.messageToSign),
    })
    const before = await configurationOf(wallet.address)
    const [first, second] = [ecdsaKey(), await webCryptoKey()]
    for (const key of [first, second]) {
      const plan = await service.enable(wallet, chainId, key, [ether, fees])
      expect(await service.approve(wallet, plan)).toMatchObject(included)
    }
    expect(await configurationOf(wallet.address)).toMatchObject({
      owners: { length: 2 },
      threshold: 1n,
      modules: { length: 2 },
    })

    const end = await service.disable(wallet, chainId, first.sessionKey)
    expect(end.body.transactionDetails).toHaveLength(1)
    expect(await service.approve(wallet, end)).toMatchObject(included)
    const request = { chainId, key: first, calls: [payment(1n)] }
    expect(await service.act(wallet, request)).toMatchObject({
      status: 404,
      body: { code: 'UNKNOWN_SESSION' },
    })
    expect((await service.check(wallet, request)).body).toMatchObject({
      allowed: false,
      reason: { rule: 'NoSession' },
    })
    expect(await service.act(wallet, { ...request, key: second })).toMatchObject(included)

    // The list has the id of a P-256 key, so a lost key can be disabled.
    const { body } = await service.list(wallet)
    expect(body.sessions).toMatchObject([{ keyId: expect.stringMatching(/^0x\w{64}$/) }])
    expect(body.sessions[0]).not.toHaveProperty('sessionKey')
    const last = await service.disable(wallet, chainId, body.sessions[0].keyId)
    expect(await service.approve(wallet, last)).toMatchObject(included)
    expect(await configurationOf(wallet.address)).toEqual(before)
    expect((await service.list(wallet)).body).toEqual({ sessions: [] })
  })

  test('behavior: an operation built before its key was disabled cannot be submitted', {
    tags: ['all'],
  }, async () => {
    const key = ecdsaKey()
    const wallet = await createEnabled(key)
    const { body } = await service.buildAs(wallet, { chainId, key, calls: [payment(1n)] })
    await service.approve(wallet, await service.disable(wallet, chainId, key.sessionKey))
    const before = await service.on(chainId).chain.getBalance({ address: payee })
    const answer = await service.submit({
      walletAddress: wallet.address,
      signatureType: 'SESSION_KEY',
      signature: await key.sign(body.messageToSign),
    })
    expect(answer).toMatchObject({ status: 400 })
    expect(await service.on(chainId).chain.getBalance({ address: payee })).toBe(before)
  })

  test('error: UNKNOWN_SESSION for a key without a session', async () => {
    const wallet = await createEnabled()
    expect(await service.disable(wallet, chainId, ecdsaKey().sessionKey)).toMatchObject({
      status: 404,
      body: { code: 'UNKNOWN_SESSION' },
    })
  })
})

describe('session-key/enable', () => {
  test('error: INVALID_INPUT for a target that belongs to the chain', async () => {
    const wallet = await service.createFundedWallet([chainId])
    const call = { type: 'contract-call', target: sentinel, functions: ['play()'] }
    const answer = await service.enable(wallet, chainId, ecdsaKey(), [ether, call, fees])
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(answer.body.issues).toMatchObject([{ path: 'permissions.1' }])
  })

  test('behavior: a key that is enabled again starts with the full new limits', {
    tags: ['all'],
  }, async () => {
    const key = ecdsaKey()
    const wallet = await createEnabled(key)
    const request = { chainId, key, calls: [payment(parseEther('0.9'))] }
    expect(await service.act(wallet, request)).toMatchObject(included)
    expect(await service.act(wallet, request)).toMatchObject({ body: { rule: 'AllowanceExceeded' } })
    await service.approve(wallet, await service.enable(wallet, chainId, key, [ether, fees]))
    expect(await service.act(wallet, request)).toMatchObject(included)
  })

  test("error: SESSION_REFUSED with SessionNotInForce after the session's end by the chain's clock", {
    tags: ['all'],
  }, async () => {
    const key = ecdsaKey()
    const wallet = await createEnabled(key)
    const { chain } = service.on(chainId)
    await chain.increaseTime({ seconds: 4000 })
    await chain.mine({ blocks: 1 })
    const request = { chainId, key, calls: [payment(1n)] }
    const rejection = { rule: 'SessionNotInForce' }
    expect(await service.act(wallet, request)).toMatchObject({ status: 400, body: rejection })
    expect((await service.check(wallet, request)).body).toMatchObject({ allowed: false, reason: rejection })
    expect((await service.list(wallet)).body.sessions).toMatchObject([{ state: 'expired' }])
  })

  test('behavior: a session that starts later is pending and cannot act yet', { tags: ['all'] }, async () => {
    const key = ecdsaKey()
    const wallet = await service.createFundedWallet([chainId])
    const validAfter = (await service.now(chainId)) + 3600
    const times = { validAfter, validUntil: String(validAfter + 60) }
    const plan = await service.enable(wallet, chainId, key, [ether, fees], times)
    expect(await service.approve(wallet, plan)).toMatchObject(included)
    expect((await service.list(wallet)).body.sessions).toMatchObject([{ state: 'pending' }])
    expect(await service.act(wallet, { chainId, key, calls: [payment(1n)] })).toMatchObject({
      body: { rule: 'SessionNotInForce' },
    })
  })

  test('default: a passkey enables and disables a session with passkey operations', async () => {
    const user = await service.createPasskeyUser()
    await service.on(chainId).chain.setBalance({ address: user.address, value: parseEther('10') })
    const key = await webCryptoKey()
    const approve = async (plan: Awaited<ReturnType<typeof service.enable>>) => {
      expect(plan.status).toBe(200)
      expect(plan.body).not.toHaveProperty('messageToSign')
      const { transactionDetails } = plan.body
      const options = await user.options({ network: String(chainId), transactionDetails })
      expect(await user.verify(options.body)).toMatchObject(included)
    }
    await approve(await service.enable(user, chainId, key, [ether, fees]))
    expect(await service.act(user, { chainId, key, calls: [payment(7n)] })).toMatchObject(included)
    await approve(await service.disable(user, chainId, key.sessionKey))
    expect(await configurationOf(user.address)).toMatchObject({
      owners: { length: 1 },
      modules: { length: 1 },
    })
  })

  test('default: a sponsored session that names its paymaster needs no ether', {
    tags: ['all'],
  }, async () => {
    const wallet = await service.createWallet()
    const [sponsored, unsponsored] = [ecdsaKey(), ecdsaKey()]
    const nothing = { type: 'contract-call', target: payee, functions: ['0x12345678'] }
    const paymaster = { paymaster: 'sponsored', paymasterData: 'sponsored' }
    const plan = await service.enable(wallet, chainId, sponsored, [nothing], paymaster)
    expect(await service.approve(wallet, plan)).toMatchObject(included)
    const another = await service.enable(wallet, chainId, unsponsored, [nothing, fees], {
      paymasterData: 'sponsored',
    })
    expect(await service.approve(wallet, another)).toMatchObject(included)

    const calls = [{ ...payment(0n), encodedData: '0x12345678' }]
    const request = { chainId, key: sponsored, calls, more: { paymasterData: 'sponsored' } }
    expect(await service.act(wallet, request)).toMatchObject(included)
    expect(await service.act(wallet, { ...request, key: unsponsored })).toMatchObject({
      status: 400,
      body: { rule: 'OtherPaymaster' },
    })
    expect(await service.act(wallet, { chainId, key: unsponsored, calls })).toMatchObject({
      body: { code: 'INSUFFICIENT_FUNDS' },
    })
  })

  test.each([
    ['permissions', { permissions: undefined }],
    ['permissions', { permissions: [] }],
    ['permissions', { permissions: [ether] }],
    ['permissions.0.allowance', { permissions: [{ ...ether, allowance: '0' }, fees] }],
    ['permissions.0.to.0', { permissions: [{ ...ether, to: ['nobody'] }, fees] }],
    [
      'permissions.1.functions.0',
      { permissions: [ether, { type: 'contract-call', target: payee, functions: ['?'] }, fees] },
    ],
    ['validUntil', { validAfter: 0, validUntil: 1 }],
    ['sessionKey', { sessionKey: `0x04${'11'.repeat(64)}` }],
    ['sessionKey', { sessionKey: '0x1234' }],
  ])('error: INVALID_INPUT at %s: %j', async (path, more) => {
    const wallet = await service.createWallet()
    const rejection = await service.enable(wallet, chainId, ecdsaKey(), [ether, fees], more)
    expect(rejection).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(rejection.body.issues).toContainEqual({ path, message: expect.stringMatching(/\w/) })
  })

  test('behavior: permissions are rejected before the chain is read', async () => {
    const { database, networks } = service.service.services
    const { address } = await service.createWallet()
    const wallet = await findWallet(database, address)
    async function requestsUntilRejected(path: string, permissions: readonly Permission[]): Promise<number> {
      let requests = 0
      const plan = () =>
        planGrant({
          wallet,
          network: networks.get(chainId),
          key: privateKeyToAddress(randomPrivateKey()),
          validAfter: 0,
          validUntil: 1,
          permissions,
        })
      const counted = countRequests(() => requests++, plan)
      await expect(counted).rejects.toMatchObject({ issues: [{ path }] })
      return requests
    }
    const given: Permission = { type: 'native-token-allowance', allowance: '1' }
    const fee: Permission = { type: 'gas-fee-allowance', allowance: '1000000' }
    expect(await requestsUntilRejected('validUntil', [given, fee])).toBeGreaterThan(0)
    expect(await requestsUntilRejected('permissions.0.allowance', [{ ...given, allowance: '0' }, fee])).toBe(
      0,
    )
  })

  test('behavior: without permissions, the answer says why it is rejected', async () => {
    const wallet = await service.createWallet()
    for (const [permissions, why] of [
      [undefined, 'Required'],
      [[], 'could do nothing'],
    ] as const) {
      const { body } = await service.enable(wallet, chainId, ecdsaKey(), [], { permissions })
      expect(body.issues[0].message).toContain(why)
    }
  })

  test('error: SESSION_REFUSED for a grant that only the contract can reject', {
    tags: ['all'],
  }, async () => {
    const wallet = await service.createFundedWallet([chainId])
    const enableModule = encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [payee] })
    const enabling = await buildCall(wallet, wallet.address, enableModule)
    expect(await service.approve(wallet, enabling)).toMatchObject(included)
    const module = { type: 'contract-call', target: payee, functions: ['f()'] }
    expect(await service.enable(wallet, chainId, ecdsaKey(), [module, fees])).toMatchObject({
      status: 400,
      body: { code: 'SESSION_REFUSED', rule: 'ForbiddenTarget' },
    })
  })

  // A passkey account gets the calls of a grant and builds them like any others.
  test('error: EXECUTION_REVERTED says in words what SessionKeys refuses in any other build', {
    tags: ['all'],
  }, async () => {
    const wallet = await service.createFundedWallet([chainId])
    const revoke = encodeFunctionData({ abi: sessionKeysAbi, functionName: 'revoke', args: [pad('0x1')] })
    expect(await buildCall(wallet, service.on(chainId).sessionKeys, revoke)).toMatchObject({
      status: 400,
      body: {
        code: 'EXECUTION_REVERTED',
        reason: 'The key has no session with this account: it was revoked, or never granted',
      },
    })
  })

  test('error: UNKNOWN_WALLET and UNKNOWN_NETWORK', async () => {
    const nobody = { address: payee }
    expect(await service.enable(nobody, chainId, ecdsaKey(), [ether, fees])).toMatchObject({
      status: 404,
      body: { code: 'UNKNOWN_WALLET' },
    })
    expect(await service.list(nobody)).toMatchObject({ status: 404 })
    const wallet = await service.createWallet()
    expect(await service.list(wallet, '&network=1')).toMatchObject({ body: { code: 'UNKNOWN_NETWORK' } })
  })
})
