/** @module-tag all */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { unpackPaymasterAndData } from '@lanyard/accounts'
import { freshDatabase } from '@lanyard/database/testing'
import { pino } from 'pino'
import { concat, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startService } from '../../src/app/server.ts'
import { readEnv } from '../../src/platform/environment/env.ts'
import { localRelayers } from '../../src/platform/keys/role-keys.ts'
import { writePolicies } from '../policies-file.ts'
import { payee as callable, ecdsaKey, startSessionService } from '../session-keys/session-service.ts'
import { payee, sign } from './order-service.ts'

const chainId = 31337
const nothing = { targetContractAddress: payee, value: '0', encodedData: '0x' }
const request = (walletAddress: string, more: object = {}) => ({
  network: String(chainId),
  walletAddress,
  transactionDetails: [nothing],
  paymasterData: 'sponsored',
  ...more,
})

interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params: readonly [Record<string, string>, string, string, object]
}
type Answer = Record<string, unknown>

/** A proxy between the service and a real ERC-7677 endpoint that can change the endpoint's answers. */
async function startTamperingProxy(target: () => string) {
  const received: RpcCall[] = []
  let tampering: (call: RpcCall, answer: Answer) => Answer | string | number = (_, answer) => answer
  const server = createServer(async (incoming, outgoing) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    const call = JSON.parse(text) as RpcCall
    received.push(call)
    const real = await fetch(target(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    })
    const answer = tampering(call, (await real.json()) as Answer)
    if (typeof answer === 'number') outgoing.writeHead(answer, { location: target() }).end()
    else outgoing.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{chainId}`, // it listens on TCP
    received,
    tamper: (next: typeof tampering) => {
      tampering = next
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('external paymaster', () => {
  const started = new AsyncDisposableStack()
  let service: Awaited<ReturnType<typeof startSessionService>>
  let proxy: Awaited<ReturnType<typeof startTamperingProxy>>
  beforeAll(async () => {
    let endpoint = ''
    proxy = started.use(await startTamperingProxy(() => endpoint))
    const policy = {
      id: 'partner',
      networks: [chainId],
      budgets: { day: { wei: '1000000000000000000' }, account: { total: { operations: 2 } } },
      paymaster: { url: proxy.url, context: { policyId: 'launch' }, validity: 900 },
    }
    service = started.use(
      await startSessionService({
        chainIds: [chainId],
        environment: { POLICIES_FILE: writePolicies(policy) },
      }),
    )
    // A second installation on the same chain, with its own database, acts as the paymaster.
    const other = started.use(
      await startService(readEnv({ PORT: '0', NODE_ENV: 'test', RATE_LIMITS: 'off', RP_ID: 'localhost' }), {
        log: pino({ level: 'silent' }),
        database: started.use(await freshDatabase()),
        networks: service.service.services.networks.list().map(({ config }) => config),
      }),
    )
    endpoint = `${other.url}/rpc/${chainId}`
  })
  afterAll(() => started.disposeAsync())
  beforeEach(() => proxy.tamper((_, answer) => answer))

  const takenOf = async (account: string) => {
    const row = await service.database.db
      .selectFrom('sponsorships')
      .selectAll()
      .where('account', '=', account.toLowerCase())
      .execute()
    return row
  }

  test('default: an external service pays, and its ERC-7677 request carries the context of the policy', async () => {
    const { owner, address } = await service.createWallet()
    proxy.received.length = 0
    const build = await service.build(request(address))
    expect(build).toMatchObject({ status: 200, body: { validUntil: expect.stringMatching(/^\d+$/) } })
    expect(proxy.received.map(({ method }) => method)).toEqual([
      'pm_getPaymasterStubData',
      'pm_getPaymasterData',
    ])
    for (const { params } of proxy.received) {
      expect(params).toMatchObject([
        { sender: address },
        expect.any(String),
        '0x7a69',
        { policyId: 'launch' },
      ])
    }
    const signature = await sign.personal(owner, build.body.messageToSign)
    expect(await service.submit({ walletAddress: address, signature })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    const [row] = await takenOf(address)
    expect(row).toMatchObject({ policy: 'partner', kind: 'sponsored' })
    expect(row?.valid_until).toBe(Number(build.body.validUntil))
  })

  test('behavior: the budgets of a policy also limit what an external paymaster pays', async () => {
    const { address } = await service.createWallet()
    const answers = []
    for (const encodedData of ['0x01', '0x02', '0x03']) {
      answers.push(
        await service.build(request(address, { transactionDetails: [{ ...nothing, encodedData }] })),
      )
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400])
    expect(answers[2]?.body).toMatchObject({ code: 'PAYMASTER_REFUSED', refusal: 'account_total' })
  })

  test('error: gas that depends on who sends the operation is refused before the paymaster signs', async () => {
    const { address } = await service.createWallet()
    const burner = '0x0000000000000000000000000000000000b04e02'
    // Burns 26 gas for each unit of the first word, only if tx.origin is the second.
    const bytecode = '0x32602035186013575f355b6001900380600a575b00'
    await service.on(chainId).chain.setCode({ address: burner, bytecode })
    const encodedData = concat([numberToHex(30_000n, { size: 32 }), pad(localRelayers[0] ?? '0x')])
    proxy.received.length = 0
    const build = await service.build(
      request(address, { transactionDetails: [{ targetContractAddress: burner, value: '0', encodedData }] }),
    )
    expect(build.body).toMatchObject({ code: 'PAYMASTER_REFUSED', refusal: 'unsteady_gas' })
    expect(proxy.received.map(({ method }) => method)).not.toContain('pm_getPaymasterData')
  })

  const other = '0x00000000000000000000000000000000000000aa'
  const onFinal = (change: (result: Record<string, string>) => object) => (call: RpcCall, answer: Answer) =>
    call.method === 'pm_getPaymasterData'
      ? { ...answer, result: change(answer.result as Record<string, string>) } // a result of the real endpoint
      : answer
  const onBoth = (change: (result: Record<string, string>) => object) => (_: RpcCall, answer: Answer) => ({
    ...answer,
    result: change(answer.result as Record<string, string>), // a result of the real endpoint
  })

  test.each<[string, Parameters<typeof proxy.tamper>[0], string]>([
    ['another paymaster', onFinal((result) => ({ ...result, paymaster: other })), 'another paymaster'],
    [
      'longer data',
      onFinal((result) => ({ ...result, paymasterData: `${result.paymasterData}00` })),
      'its data is longer',
    ],
    [
      'more gas than requested',
      onFinal((result) => ({ ...result, paymasterPostOpGasLimit: '0xffff' })),
      'it changed paymasterPostOpGasLimit',
    ],
    [
      'an excessive gas limit',
      onBoth((result) => ({ ...result, paymasterVerificationGasLimit: '0xffffffffff' })),
      'malformed at paymasterVerificationGasLimit',
    ],
    [
      'data that is too long',
      onBoth((result) => ({ ...result, paymasterData: `0x${'11'.repeat(5000)}` })),
      'malformed at paymasterData',
    ],
    ['an invalid address', onBoth((result) => ({ ...result, paymaster: 'me' })), 'malformed at paymaster'],
    ['EntryPoint v0.6', onBoth(() => ({ paymasterAndData: '0x' })), 'EntryPoint v0.6'],
    ['nothing', onBoth(() => ({})), 'malformed at paymaster'],
    [
      'a paymaster of another chain',
      onBoth((result) => ({ ...result, paymaster: other, isFinal: true })),
      'AA',
    ],
    [
      'an error',
      ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'secret words' } }),
      'refused',
    ],
    ['another id', (_, answer) => ({ ...answer, id: 4711 }), 'did not answer'],
    ['a body that is not JSON', () => '<html>', 'did not answer'],
    ['a redirect', () => 307, 'did not answer'],
    ['a body that is too large', () => `"${'x'.repeat(70_000)}"`, 'did not answer'],
    ['500', () => 500, 'did not answer'],
  ])('error: PAYMASTER_FAILED for %s; no other paymaster pays', async (_, tampering, reason) => {
    const { address } = await service.createWallet()
    proxy.tamper(tampering)
    const { status, body } = await service.build(request(address))
    if (reason === 'AA') {
      // The simulation fails because nothing at that address validates.
      expect([400, 502]).toContain(status)
      expect(['PAYMASTER_REFUSED', 'PAYMASTER_FAILED']).toContain(body.code)
    } else {
      expect({ status, body }).toMatchObject({
        status: 502,
        body: { code: 'PAYMASTER_FAILED', message: expect.stringContaining(reason) },
      })
    }
    expect(JSON.stringify(body)).not.toMatch(/secret words|127\.0\.0\.1/)
    expect(await takenOf(address)).toEqual([])
    const rows = await service.database.db
      .selectFrom('operations')
      .select('user_op_hash')
      .where('account', '=', address.toLowerCase())
      .execute()
    expect(rows).toEqual([])
  })

  test('behavior: the operation carries the signature of the external paymaster', async () => {
    const { address } = await service.createWallet()
    let signed = ''
    proxy.tamper((call, answer) => {
      if (call.method === 'pm_getPaymasterData')
        signed = (answer.result as Record<string, string>).paymasterData ?? ''
      return answer
    })
    const { body } = await service.build(request(address))
    expect(unpackPaymasterAndData(body.userOp.paymasterAndData)?.paymasterData).toBe(signed)
  })

  test('behavior: the external paymaster pays for a session key if the session names its address', async () => {
    const wallet = await service.createWallet()
    const paymaster = service.devnet.networks[0]?.smartBalance // the second installation uses the same contract
    const target = { type: 'contract-call', target: callable, functions: ['0x12345678'] }
    const calls = [{ ...nothing, targetContractAddress: callable, encodedData: '0x12345678' }]
    const more = { paymasterData: 'sponsored' }
    const [named, unnamed] = [ecdsaKey(), ecdsaKey()]
    const plan = await service.enable(wallet, chainId, named, [target], { paymaster, ...more })
    expect(await service.approve(wallet, plan)).toMatchObject({ status: 200, body: { success: true } })

    proxy.received.length = 0
    expect(await service.act(wallet, { chainId, key: named, calls, more })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(proxy.received.map(({ method }) => method)).toEqual([
      'pm_getPaymasterStubData',
      'pm_getPaymasterData',
    ])
    expect(await service.on(chainId).chain.getBalance(wallet)).toBe(0n)
    expect(await takenOf(wallet.address)).toMatchObject([{ policy: 'partner' }, { policy: 'partner' }])

    // The account's budget is spent, so its owner pays for the second grant.
    await service.on(chainId).chain.setBalance({ address: wallet.address, value: 10n ** 18n })
    const another = await service.enable(wallet, chainId, unnamed, [target], { paymaster: other })
    expect(await service.approve(wallet, another)).toMatchObject({ status: 200, body: { success: true } })
    expect(await service.act(wallet, { chainId, key: unnamed, calls, more })).toMatchObject({
      status: 400,
      body: { rule: 'OtherPaymaster' },
    })
  })
})
