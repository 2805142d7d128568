import { safeAbi } from '@lanyard/onchain'
import { encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
const tokens = (service: SessionService, network = chainId) => service.on(network).settlementToken.address

let service: SessionService
beforeAll(async () => {
  service = await startSessionService({ chainIds: [31337, 31339] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const ether = { type: 'native-token-allowance', allowance: parseEther('1').toString(), to: [payee] }
const tokenAllowance = (network = chainId) => ({
  type: 'erc20-token-allowance',
  token: tokens(service, network),
  allowance: String(50_000_000n * service.on(network).scale),
})

/** The hashes of a list that is read one by one. */
async function pageThrough(path: string, list: 'history' | 'activity'): Promise<string[]> {
  const hashes: string[] = []
  for (let end = ''; ; ) {
    const { body } = await service.rest.get(`${path}&limit=1${end}`)
    const [entry] = body[list]
    if (!entry) return hashes
    hashes.push(entry.userOpHash)
    end = `&before=${entry.signedAt}&beforeId=${entry.userOpHash}`
  }
}

describe.each([
  ['a secp256k1 key', async () => ecdsaKey()],
  ['a P-256 key of WebCrypto', webCryptoKey],
] as const)('%s', (_, makeKey) => {
  test("default: a key acts within its limits on two networks from the account's first operation", async () => {
    const wallet = await service.createFundedWallet([31337, 31339])
    const key = await makeKey()
    for (const network of [31337, 31339]) {
      const daily = { ...tokenAllowance(network), period: 1800 }
      const plan = await service.enable(wallet, network, key, [ether, daily, fees])
      expect(plan).toMatchObject({
        status: 200,
        body: { signMode: 'ECDSA', transactionDetails: [{}, {}, {}] },
      })
      expect(plan.body.description).toContainEqual(expect.stringContaining('50 USDC'))
      expect(await service.approve(wallet, plan)).toMatchObject({ status: 200, body: { success: true } })

      const before = await service.balanceOf(network, payee)
      const calls = [service.transfer(network, payee, 20_000_000n), payment(parseEther('0.25'))]
      const done = await service.act(wallet, { chainId: network, key, calls })
      expect(done).toMatchObject({ status: 200, body: { success: true } })
      expect(await service.balanceOf(network, payee)).toBe(before + 20_000_000n * service.on(network).scale)
    }
    const { body } = await service.list(wallet)
    expect(body.sessions).toHaveLength(2)
    expect(body.sessions[0]).toMatchObject({
      network: 31337,
      state: 'active',
      maxOperations: 20,
      operationsLeft: 19,
      allowances: [
        { amount: parseEther('1').toString(), left: parseEther('0.75').toString(), to: [payee] },
        { token: tokens(service), left: '30000000', period: 1800 },
      ],
    })

    expect(body.sessions[0].allowances[1].resetsAt).toBe(body.sessions[0].validAfter + 1800)

    const { history } = (await service.history(wallet, key)).body
    expect(history).toHaveLength(2) // of both networks, the newest first
    expect(history[1]).toMatchObject({
      ...{ network: '31337', state: 'included', success: true, calls: [{}, {}] },
      spent: [
        { token: tokens(service), amount: '20000000', to: payee },
        { amount: parseEther('0.25').toString(), to: payee },
      ],
    })
    expect((await service.history(wallet, ecdsaKey())).body).toEqual({ history: [] })

    // All of the same millisecond.
    await service.database.db.updateTable('operations').set({ signed_at: new Date() }).execute()
    const query = `walletAddress=${wallet.address}&sessionKey=${key.sessionKey}`
    for (const [list, path, count] of [
      ['history', `/smart-account/session-key/history?${query}`, 2],
      ['activity', `/wallet/activity?walletAddress=${wallet.address}`, 4],
    ] as const) {
      const hashes = await pageThrough(path, list)
      expect([list, hashes.length, new Set(hashes).size]).toEqual([list, count, count])
    }
    expect((await service.list(wallet, '&network=31339')).body.sessions).toHaveLength(1)
  })
})

describe('limits that the contract checks at each operation', { tags: ['all'] }, () => {
  const key = ecdsaKey()
  let wallet: Awaited<ReturnType<SessionService['createFundedWallet']>>
  beforeAll(async () => {
    wallet = await service.createFundedWallet([chainId])
    const spender = { ...tokenAllowance(), to: [payee] }
    const plan = await service.enable(wallet, chainId, key, [ether, spender, fees])
    expect(plan.body.description).toContainEqual(expect.stringContaining('take it in the same operation'))
    expect(await service.approve(wallet, plan)).toMatchObject({ status: 200, body: { success: true } })
  })

  test('behavior: a token approval counts as spent and ends with its operation', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [payee, 20_000_000n] })
    const approval = { targetContractAddress: tokens(service), value: '0', encodedData: data }
    expect(await service.act(wallet, { chainId, key, calls: [approval] })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    const allowance = await service.on(chainId).chain.readContract({
      address: tokens(service),
      abi: erc20Abi,
      functionName: 'allowance',
      args: [wallet.address, payee],
    })
    expect(allowance).toBe(0n)
    expect((await service.list(wallet)).body.sessions[0].allowances[1]).toMatchObject({ left: '30000000' })
  })

  test('error: SESSION_REFUSED with ForbiddenTarget for a module that the owner enabled after the grant', async () => {
    const request = { chainId, key, calls: [payment(1n)] }
    expect((await service.check(wallet, request)).body).toEqual({ allowed: true })
    const enable = encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [payee] })
    await service.callAs(chainId, wallet.address, wallet.address, enable)
    expect((await service.check(wallet, request)).body).toMatchObject({
      allowed: false,
      reason: { rule: 'ForbiddenTarget' },
    })
    expect(await service.act(wallet, request)).toMatchObject({
      status: 400,
      body: { code: 'SESSION_REFUSED', rule: 'ForbiddenTarget' },
    })
  })

  test('error: INVALID_INPUT for other functions that approve spending', async () => {
    const functions = ['setOperator(address,bool)', 'allow(address,bool)', 'play(uint256)']
    const call = { type: 'contract-call', target: payee, functions }
    const { status, body } = await service.enable(wallet, chainId, ecdsaKey(), [call, fees])
    expect(status).toBe(400)
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual([
      'permissions.0.functions.0',
      'permissions.0.functions.1',
    ])
  })
})

describe('build with signMode SESSION_KEY', () => {
  const key = ecdsaKey()
  let wallet: Awaited<ReturnType<SessionService['createFundedWallet']>>
  beforeAll(async () => {
    wallet = await service.createFundedWallet([chainId])
    const plan = await service.enable(wallet, chainId, key, [ether, tokenAllowance(), fees])
    expect(await service.approve(wallet, plan)).toMatchObject({ status: 200, body: { success: true } })
  })

  test.each([
    ['AllowanceExceeded', () => [payment(parseEther('0.6')), payment(parseEther('0.6'))]],
    ['ValueTooHigh', () => [payment(parseEther('1.01'))]],
    ['AllowanceExceeded', () => [service.transfer(chainId, payee, 50_000_001n)]],
    ['CallNotAllowed', () => [payment(1n, wallet.owner.address)]],
    ['CallNotAllowed', () => [{ ...payment(0n), encodedData: '0x12345678' }]],
    ['ForbiddenTarget', () => [payment(1n, wallet.address)]],
  ] as const)('error: SESSION_REFUSED with %s', async (rule, calls) => {
    const request = { chainId, key, calls: calls() }
    const before = await service.on(chainId).chain.getBalance({ address: wallet.address })
    const rejection = await service.act(wallet, request)
    expect(rejection).toMatchObject({ status: 400, body: { code: 'SESSION_REFUSED', rule } })
    expect((await service.check(wallet, request)).body).toMatchObject({ allowed: false, reason: { rule } })
    // allowRevert does not override a refusal of the session.
    const withRevertAllowed = { ...request, more: { allowRevert: true } }
    expect(await service.act(wallet, withRevertAllowed)).toMatchObject({ status: 400, body: { rule } })
    expect(await service.on(chainId).chain.getBalance({ address: wallet.address })).toBe(before)
  })

  test('error: SESSION_REFUSED with FeeTooHigh for an operation that could cost more than its share', {
    tags: ['all'],
  }, async () => {
    const poor = ecdsaKey()
    const cheap = { type: 'gas-fee-allowance', allowance: '1000', operations: 2 }
    const plan = await service.enable(wallet, chainId, poor, [ether, cheap])
    expect(await service.approve(wallet, plan)).toMatchObject({ status: 200, body: { success: true } })
    const request = { chainId, key: poor, calls: [payment(1n)] }
    expect(await service.act(wallet, request)).toMatchObject({ status: 400, body: { rule: 'FeeTooHigh' } })
    expect((await service.check(wallet, request)).body).toMatchObject({ reason: { rule: 'FeeTooHigh' } })
  })

  test('error: EXECUTION_REVERTED names an allowed call that fails', { tags: ['all'] }, async () => {
    const request = { chainId, key, calls: [payment(1n), service.transfer(chainId, payee, 49_000_000n)] }
    await service.callAs(
      chainId,
      wallet.address,
      tokens(service),
      service.transfer(chainId, wallet.owner.address, 60_000_000n).encodedData,
    )
    expect(await service.act(wallet, request)).toMatchObject({
      status: 400,
      body: { code: 'EXECUTION_REVERTED', call: 1, rule: 'CallFailed' },
    })
    expect((await service.check(wallet, request)).body).toMatchObject({
      allowed: false,
      reason: { rule: 'CallFailed', call: 1 },
    })
    await service.mint(chainId, wallet.address, 60_000_000n)
  })

  test('behavior: a call that fails on chain spends no allowance, and its status has the reason', {
    tags: ['all'],
  }, async () => {
    const { body } = await service.buildAs(wallet, {
      chainId,
      key,
      calls: [service.transfer(chainId, payee, 49_000_000n)],
    })
    const { address } = wallet
    const spendAll = service.transfer(chainId, wallet.owner.address, 100_000_000n)
    await service.callAs(chainId, address, tokens(service), spendAll.encodedData)
    const done = await service.submit({
      walletAddress: address,
      signatureType: 'SESSION_KEY',
      signature: await key.sign(body.messageToSign),
    })
    expect(done).toMatchObject({ status: 200, body: { success: false } })
    const status = `/smart-account/transaction/status?userOpHash=${done.body.userOpHash}`
    expect((await service.rest.get(status)).body.reason.message).toContain('ERC20InsufficientBalance')
    const left = (await service.list(wallet)).body.sessions[0].allowances[1]
    expect(left).toMatchObject({ amount: '50000000', left: '50000000' })
    await service.mint(chainId, address, 100_000_000n)
  })

  test('behavior: check allows a valid operation and reserves nothing', async () => {
    const request = { chainId, key, calls: [payment(1n)] }
    expect(await service.check(wallet, request)).toMatchObject({ status: 200, body: { allowed: true } })
    expect(await service.act(wallet, request)).toMatchObject({ status: 200, body: { success: true } })
  })

  test('error: UNKNOWN_SESSION for a key without a session', async () => {
    const request = { chainId, key: ecdsaKey(), calls: [payment(1n)] }
    expect(await service.act(wallet, request)).toMatchObject({
      status: 404,
      body: { code: 'UNKNOWN_SESSION' },
    })
    expect((await service.check(wallet, request)).body).toMatchObject({ reason: { rule: 'NoSession' } })
  })

  test('error: INVALID_INPUT if signMode and sessionKey do not match', async () => {
    const request = { chainId, key, calls: [payment(1n)] }
    for (const more of [
      { signMode: 'ECDSA' },
      { sessionKey: undefined },
      { orderData: { amount: '1', type: 'AMOUNT_OUT' } },
    ]) {
      expect(await service.buildAs(wallet, { ...request, more })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT' },
      })
    }
  })

  test("error: INVALID_SIGNATURE for personal_sign, the owner's signature and another session's signature", async () => {
    const { body } = await service.buildAs(wallet, { chainId, key, calls: [payment(2n)] })
    const submit = (signature: string) =>
      service.submit({ walletAddress: wallet.address, signatureType: 'SESSION_KEY', signature })
    for (const signature of [
      await sign.personal(wallet.owner, body.messageToSign),
      await sign.raw(wallet.owner, body.messageToSign),
      await ecdsaKey().sign(body.messageToSign),
      await (await webCryptoKey()).sign(body.messageToSign),
    ]) {
      const answer = await submit(signature)
      expect(answer.status).toBe(400)
      expect(['INVALID_SIGNATURE', 'SIGNATURE_COMPACT']).toContain(answer.body.code)
    }
    // The owner's signature over the message is not valid either.
    const asOwner = {
      walletAddress: wallet.address,
      signature: await sign.raw(wallet.owner, body.messageToSign),
    }
    expect((await service.submit(asOwner)).status).toBe(400)
    expect(await submit(await key.sign(body.messageToSign))).toMatchObject({ status: 200 })
  })

  test('behavior: repeating a signature returns the same operation', async () => {
    const { body } = await service.buildAs(wallet, { chainId, key, calls: [payment(3n)] })
    const request = {
      walletAddress: wallet.address,
      signatureType: 'SESSION_KEY',
      signature: await key.sign(body.messageToSign),
    }
    const answers = await Promise.all([service.submit(request), service.submit(request)])
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(answers[0].body.userOpHash).toBe(answers[1].body.userOpHash)
  })

  test('behavior: if two builds share a nonce, the first signed one gets it; owners keep their lanes', {
    tags: ['all'],
  }, async () => {
    const first = await service.buildAs(wallet, { chainId, key, calls: [payment(4n)] })
    const second = await service.buildAs(wallet, { chainId, key, calls: [payment(5n)] })
    expect(second.body.userOp.nonce).toBe(first.body.userOp.nonce)
    const own = await service.build({
      network: String(chainId),
      walletAddress: wallet.address,
      transactionDetails: [payment(1n)],
    })
    expect(BigInt(own.body.userOp.nonce) >> 64n).toBe(0n)
    const submit = async ({ messageToSign }: { messageToSign: Hex }) =>
      service.submit({
        walletAddress: wallet.address,
        signatureType: 'SESSION_KEY',
        signature: await key.sign(messageToSign),
      })
    expect(await submit(first.body)).toMatchObject({ status: 200, body: { success: true } })
    expect(await submit(second.body)).toMatchObject({ status: 409, body: { code: 'REBUILD' } })
  })

  test("behavior: no number of the owner's builds takes the nonce of a session", {
    tags: ['all'],
  }, async () => {
    const { body } = await service.buildAs(wallet, { chainId, key, calls: [payment(6n)] })
    const nonceKeys = new Set<bigint>()
    for (let count = 0; count < 18; count++) {
      const own = await service.build({
        network: String(chainId),
        walletAddress: wallet.address,
        transactionDetails: [payment(BigInt(count))],
      })
      nonceKeys.add(BigInt(own.body.userOp.nonce) >> 64n)
    }
    expect(Math.max(...[...nonceKeys].map(Number))).toBe(15)
    const signature = await key.sign(body.messageToSign)
    expect(
      await service.submit({ walletAddress: wallet.address, signatureType: 'SESSION_KEY', signature }),
    ).toMatchObject({ status: 200, body: { success: true } })
  })

  test('behavior: a session has one pending operation at a time, and concurrent ones are refused', {
    tags: ['all'],
  }, async () => {
    const operationsLeft = async (): Promise<number> => {
      const { body } = await service.list(wallet)
      return body.sessions.find(({ sessionKey }: { sessionKey: string }) => sessionKey === key.sessionKey)
        .operationsLeft
    }
    const before = await operationsLeft()
    const answers = await Promise.all(
      [11n, 12n].map((value) => service.act(wallet, { chainId, key, calls: [payment(value)] })),
    )
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThanOrEqual(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(['OPERATION_IN_FLIGHT', 'REBUILD']).toContain(answer.body.code)
    }
    expect(before - (await operationsLeft())).toBe(done.length)
  })
})
