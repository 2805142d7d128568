import { encodeCalls } from '@lanyard/accounts'
import {
  type BuildVerificationError,
  createLanyardClient,
  createSessionKey,
  signBuild,
  signSessionBuild,
  verifySessionBuild,
  verifySessionPlan,
} from '@lanyard/client'
import { sessionKeysAddress } from '@lanyard/devnet'
import { encodeSessionExecute } from '@lanyard/session-keys'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payee, type SessionService, startSessionService } from '../session-keys/session-service.ts'

const network = '31337'
const sessionKeys = sessionKeysAddress

let service: SessionService
beforeAll(async () => {
  service = await startSessionService({ chainIds: [31337] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** A wallet, the session key of an app, and the grant of the owner. */
async function prepare() {
  const { owner, address: account } = await service.createFundedWallet([31337])
  const lanyard = createLanyardClient({ baseUrl: service.service.url })
  const signer = await createSessionKey()
  const validAfter = await service.now(31337)
  const grant = {
    network,
    walletAddress: account,
    sessionKey: signer.sessionKey,
    validAfter,
    validUntil: validAfter + 3600,
    permissions: [
      { type: 'native-token-allowance' as const, allowance: '1000', to: [payee] },
      { type: 'gas-fee-allowance' as const, allowance: String(parseEther('1')), operations: 10 },
    ],
  }
  const plan = await lanyard.sessionKey.enable(grant)
  return { lanyard, owner, account, signer, grant, plan }
}

/** The same with a granted session, and a payment that the session key may make. */
async function prepareGranted() {
  const prepared = await prepare()
  const { lanyard, owner, account, signer, plan } = prepared
  const { userOp, messageToSign, signMode } = plan
  if (!userOp || !messageToSign || !signMode) throw new TypeError('Expected a plan with an operation')
  const { transactionDetails } = plan
  const request = { network, walletAddress: account, transactionDetails }
  const signature = await signBuild({ build: { userOp, messageToSign, signMode }, request, signer: owner })
  await lanyard.smartAccount.submit({ signature, walletAddress: account })
  const payment = {
    network,
    walletAddress: account,
    signMode: 'SESSION_KEY',
    sessionKey: signer.sessionKey,
    transactionDetails: [{ targetContractAddress: payee, value: '1', encodedData: '0x' }],
  }
  return { ...prepared, payment }
}

const failureOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return (error as BuildVerificationError).field // the test compares the value
  }
  return undefined
}

describe('signSessionBuild', () => {
  test('default: the session key verifies and signs a payment', async () => {
    const { lanyard, account, signer, payment: request } = await prepareGranted()
    const build = await lanyard.smartAccount.build(request)
    const { calls } = verifySessionBuild({ build, request, account, sessionKeys, key: signer.key })
    expect(calls).toEqual([{ to: payee, value: 1n, data: '0x' }])
    const signature = await signSessionBuild({ build, request, account, sessionKeys, signer })
    const submission = { signature, walletAddress: account, signatureType: 'SESSION_KEY' }
    expect(await lanyard.smartAccount.submit(submission)).toMatchObject({ success: true })
  })

  test('behavior: the error names the field that the service changed', async () => {
    const { lanyard, account, signer, payment: request, owner } = await prepareGranted()
    const build = await lanyard.smartAccount.build(request)
    const { userOp } = build
    const { key } = signer
    const callDataOf = (value: bigint) =>
      encodeCalls([encodeSessionExecute({ sessionKeys, key, calls: [{ to: payee, value, data: '0x' }] })])
    expect(userOp.callData).toBe(callDataOf(1n))
    const changes = {
      signMode: { ...build, signMode: 'ECDSA' as const },
      'userOp.sender': { ...build, userOp: { ...userOp, sender: owner.address } },
      'userOp.callData': { ...build, userOp: { ...userOp, callData: callDataOf(2n) } },
      'userOp.paymasterAndData': {
        ...build,
        userOp: { ...userOp, paymasterAndData: `0x${'11'.repeat(52)}` },
      },
      messageToSign: { ...build, validUntil: String(Number(build.validUntil) + 1) },
    }
    for (const [field, changed] of Object.entries(changes)) {
      const failure = await signSessionBuild({
        build: changed,
        request,
        account,
        sessionKeys,
        signer,
      }).catch((error: BuildVerificationError) => error)
      expect(failure, field).toMatchObject({ name: 'BuildVerificationError', field })
    }
  })
})

describe('verifySessionPlan', () => {
  test('default: the plan describes the limits in plain words', async () => {
    const { plan, grant, account } = await prepare()
    const { session, description } = verifySessionPlan({ plan, request: grant, account, sessionKeys })
    expect(session.allowances).toMatchObject([{ amount: 1000n }])
    expect(description).toEqual(plan.description)
  })

  test('behavior: other limits, another key, another call or another account are rejected', async () => {
    const { plan, grant, account, owner } = await prepare()
    const [native, gas] = grant.permissions
    if (!native || !gas) throw new TypeError('Expected two permissions')
    const field = (request: typeof grant, of = account, signedPlan = plan) =>
      failureOf(() => verifySessionPlan({ plan: signedPlan, request, account: of, sessionKeys }))
    expect(field(grant)).toBeUndefined()
    const wrong = 'transactionDetails'
    expect(field({ ...grant, permissions: [{ ...native, allowance: '999' }, gas] })).toBe(wrong)
    expect(field({ ...grant, validUntil: grant.validUntil - 1 })).toBe(wrong)
    expect(field({ ...grant, sessionKey: owner.address })).toBe(wrong)
    expect(field(grant, owner.address)).toBe(wrong)
    const extra = { targetContractAddress: payee, value: '1', encodedData: '0x' as const }
    const more = { ...plan, transactionDetails: [...plan.transactionDetails, extra] }
    expect(field(grant, account, more)).toBe(wrong)
    expect(field({ ...grant, permissions: [gas] })).toBe('permissions')
  })
})
