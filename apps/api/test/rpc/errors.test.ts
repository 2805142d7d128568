/** @module-tag all */
import { defaultVerifiers, hashAccountMessage, stubSignature } from '@lanyard/accounts'
import { randomPrivateKey } from '@lanyard/testing'
import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  parseEther,
  stringToHex,
} from 'viem'
import { createBundlerClient, entryPoint07Address, InsufficientPrefundError } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/domain/accounts/api-keys/manage-api-keys.ts'
import { origin, type PasskeyService, startPasskeyService, transfer } from '../passkeys/passkey-service.ts'
import { callRpc, createRpcAccount, nodeClient, payee, postRpc, prepare, rpcUrl } from './rpc-client.ts'

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService({ chainIds: [31337, 31338] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const url = (path?: string) => rpcUrl(service, path)
const publicClient = () => nodeClient(service)
const post = (body: unknown, path?: string) => postRpc(url(path), body)
const call = (method: string, params: readonly unknown[] = [], path?: string) =>
  callRpc(url(path), method, params)
const createAccount = (balance?: bigint) => createRpcAccount(service, balance)
const send = (operation: object, entryPoint: unknown = entryPoint07Address) =>
  call('eth_sendUserOperation', [operation, entryPoint])

const rowsOf = (account: Address) =>
  service.database.selectFrom('operations').selectAll().where('account', '=', account.toLowerCase()).execute()

/** Members that move an operation to another account. */
const unsigned = ({ address }: { readonly address: Address }) => ({ sender: address, nonce: 0n })

describe('JSON-RPC 2.0', () => {
  test('behavior: a batch of up to 10 calls is answered in order; notifications have no answer', async () => {
    const one = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' })
    const { body } = await post([one(1), { jsonrpc: '2.0', method: 'eth_chainId' }, one(2)])
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: '0x7a69' },
      { jsonrpc: '2.0', id: 2, result: '0x7a69' },
    ])
    expect(await post({ jsonrpc: '2.0', method: 'eth_chainId' })).toEqual({ status: 204, body: undefined })
    for (const batch of [[], Array.from({ length: 11 }, (_, id) => one(id))])
      expect((await post(batch)).body).toMatchObject({ id: null, error: { code: -32600 } })
  })

  test('error: -32700, -32600 and -32601', async () => {
    expect(await post('{')).toMatchObject({ status: 200, body: { id: null, error: { code: -32700 } } })
    for (const wrong of [1, 'text', {}, { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: 'text' }])
      expect((await post(JSON.stringify(wrong))).body).toMatchObject({ error: { code: -32600 } })
    for (const method of ['eth_call', 'eth_sign', 'constructor', '__proto__'])
      expect(await call(method)).toMatchObject({ error: { code: -32601 } })
  })

  test('error: -32602 for deeply nested parameters, which is no failure of the service', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    for (const method of [
      'eth_sendUserOperation',
      'eth_estimateUserOperationGas',
      'pm_getPaymasterStubData',
    ]) {
      const params = `[${deep},"${entryPoint07Address}","0x7a69"]`
      expect(
        (await post(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`)).body,
      ).toMatchObject({
        error: { code: -32602, data: { code: 'INVALID_INPUT' } },
      })
    }
  })

  test('error: unknown network, path or HTTP method', async () => {
    expect(await call('eth_chainId', [], '/rpc/1')).toMatchObject({
      error: { code: -32602, data: { code: 'UNKNOWN_NETWORK' } },
    })
    for (const path of ['/rpc/base', '/rpc/31337/more', '/rpc/0'])
      expect((await post({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }, path)).status).toBe(404)
    expect((await fetch(url())).status).toBe(405)
  })

  test('behavior: each network has its own URL', async () => {
    expect(await call('eth_chainId', [], '/rpc/31338')).toMatchObject({ result: '0x7a6a' })
  })
})

describe('eth_sendUserOperation', () => {
  test('error: -32602 for a malformed operation or an unknown account; nothing is written', async () => {
    const { account } = await createAccount()
    const operation = await prepare(account)
    const { sender: _, ...without } = operation
    const thirdParty = privateKeyToAccount(randomPrivateKey()).address
    for (const wrong of [
      {},
      without,
      { ...operation, nonce: '12' },
      { ...operation, callGasLimit: numberToHex(2n ** 121n) },
      { ...operation, callGasLimit: undefined },
      { ...operation, eip7702Auth: {} },
      { ...operation, factory: undefined },
      { ...operation, sender: thirdParty },
      { ...operation, factoryData: `${operation.factoryData}00` },
    ])
      expect(await send(wrong)).toMatchObject({ error: { code: -32602 } })
    expect(await send(operation, thirdParty)).toMatchObject({ error: { code: -32602 } })
    expect(await rowsOf(account.address)).toEqual([])
  })

  test('error: -32602 for a factory that deploys the same account and runs code besides', async () => {
    const { key, account } = await createAccount()
    await service.post('/smart-account/create', { eoaAddress: key.address })
    const { factory: own } = await account.getFactoryArgs()
    const factory: Address = '0x00000000000000000000000000000000000fac70'
    // Passes its call data on to the account's own factory, and returns its answer.
    const bytecode: Hex = `0x365f5f375f5f365f5f73${own?.slice(2)}5af1503d5f5f3e3d5ff3`
    await service.chain.setCode({ address: factory, bytecode })
    const operation = await prepare(account, { factory })
    for (const answer of [
      await send(operation),
      await call('eth_estimateUserOperationGas', [operation, entryPoint07Address]),
      await call('pm_getPaymasterData', [operation, entryPoint07Address, '0x7a69', {}]),
    ])
      expect(answer).toMatchObject({
        error: { code: -32602, data: { code: 'INVALID_INPUT', issues: [{ path: 'factory' }] } },
      })
    expect(await rowsOf(account.address)).toEqual([])
    expect(await send(await prepare(account))).toMatchObject({ result: expect.any(String) })
  })

  test("error: -32507 for a signature that is not an owner's; a build at the same nonce stays valid", async () => {
    const { key, account } = await createAccount()
    await service.post('/smart-account/create', { eoaAddress: key.address })
    const built = await service.post<{ messageToSign: Hex }>('/smart-account/transaction/build', {
      ...{ network: '31337', walletAddress: account.address, transactionDetails: transfer() },
    })
    const good = await prepare(account)
    const other = await createAccount()
    const byOther = (await prepare(other.account, { ...unsigned(account), callData: good.callData }))
      .signature
    const withLater = concat([
      numberToHex(0, { size: 6 }),
      numberToHex(2_000_000_000, { size: 6 }),
      `0x${good.signature?.slice(26)}`,
    ])
    for (const signature of [byOther, withLater, '0x', '0x1234', await account.getStubSignature()])
      expect(await send({ ...good, signature })).toMatchObject({ error: { code: -32507 } })

    const signature = await key.signMessage({ message: { raw: built.body.messageToSign } })
    const answer = await service.post('/smart-account/transaction/submit', {
      ...{ walletAddress: account.address, signature },
    })
    expect(answer.body).toMatchObject({ success: true })
  })

  test('error: -32500 with the message of the entry point; the operation can be sent again after funding', async () => {
    const { account } = await createAccount(0n)
    const operation = await prepare(account)
    const rejected = await send(operation)
    expect(rejected).toMatchObject({
      error: {
        code: -32500,
        message: expect.stringMatching(/^AA21 didn't pay prefund/),
        data: { code: 'INSUFFICIENT_FUNDS' },
      },
    })
    await service.chain.setBalance({ address: account.address, value: parseEther('1') })
    const { result } = await send(operation)
    expect(result).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await send(operation)).toMatchObject({ result })
    const bundler = createBundlerClient({
      client: publicClient(),
      transport: http(url()),
      pollingInterval: 25,
    })
    expect(await bundler.waitForUserOperationReceipt({ hash: result })).toMatchObject({ success: true })
  })

  test('error: a used nonce and fees that are too low are refused', async () => {
    const { account } = await createAccount()
    const first = await prepare(account)
    const bundler = createBundlerClient({
      client: publicClient(),
      transport: http(url()),
      pollingInterval: 25,
    })
    await bundler.waitForUserOperationReceipt({ hash: (await send(first)).result })
    const again = await prepare(account, { nonce: 0n, callGasLimit: 210_000n })
    expect(await send(again)).toMatchObject({ error: { code: -32500, data: { code: 'REBUILD' } } })
    const cheap = await prepare(account, { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })
    expect(await send(cheap)).toMatchObject({ error: { code: -32602, data: { code: 'FEE_TOO_LOW' } } })
    expect(await send(await prepare(account))).toMatchObject({ result: expect.any(String) })
  })

  test('behavior: if two operations share a nonce, the first one sent keeps it, whoever built it', async () => {
    const { key, account } = await createAccount()
    await service.post('/smart-account/create', { eoaAddress: key.address })
    const built = await service.post<{ messageToSign: Hex }>('/smart-account/transaction/build', {
      ...{ network: '31337', walletAddress: account.address, transactionDetails: transfer() },
    })
    expect(await send(await prepare(account))).toMatchObject({ result: expect.any(String) })
    const signature = await key.signMessage({ message: { raw: built.body.messageToSign } })
    const answer = await service.post('/smart-account/transaction/submit', {
      ...{ walletAddress: account.address, signature },
    })
    expect(answer).toMatchObject({
      status: 409,
      body: { code: expect.stringMatching(/REBUILD|OPERATION_IN_FLIGHT/) },
    })
  })

  test('behavior: a REST build can be sent over JSON-RPC', async () => {
    const { key, account } = await createAccount()
    await service.post('/smart-account/create', { eoaAddress: key.address })
    const { body } = await service.post<{ userOp: Record<string, string> }>(
      '/smart-account/transaction/build',
      { network: '31337', walletAddress: account.address, transactionDetails: transfer() },
    )
    const { userOp } = body
    const big = (name: string) => BigInt(userOp[name] ?? 0)
    const operation = await prepare(account, {
      nonce: big('nonce'),
      callData: userOp.callData as Hex, // the service returned it
      callGasLimit: big('callGasLimit'),
      verificationGasLimit: big('verificationGasLimit'),
      preVerificationGas: big('preVerificationGas'),
      maxFeePerGas: big('maxFeePerGas'),
      maxPriorityFeePerGas: big('maxPriorityFeePerGas'),
    })
    const { result } = await send(operation)
    const rows = await rowsOf(account.address)
    expect(rows.map(({ user_op_hash }) => user_op_hash)).toEqual([result])
  })
})

describe('eth_estimateUserOperationGas', () => {
  const estimate = (operation: object, ...more: unknown[]) =>
    call('eth_estimateUserOperationGas', [operation, entryPoint07Address, ...more])

  test("behavior: an estimate works with any client's stub, without gas or fees, for an account without funds", async () => {
    const { account } = await createAccount(0n)
    const { sender, nonce, callData, factory, factoryData } = await prepare(account)
    const whole = await account.getStubSignature()
    const passkey = { kind: 'passkey', x: 1n, y: 1n, verifiers: defaultVerifiers } as const
    const unknownSigner = stubSignature(passkey, { signer: payee })
    for (const signature of [
      whole,
      unknownSigner,
      `0x${'00'.repeat(12)}${'ff'.repeat(65)}`,
      '0x',
      undefined,
    ]) {
      const { result } = await estimate({ sender, nonce, callData, factory, factoryData, signature })
      expect(Number(result.verificationGasLimit)).toBeGreaterThan(100_000)
      expect(Object.keys(result).sort()).toEqual([
        'callGasLimit',
        'preVerificationGas',
        'verificationGasLimit',
      ])
    }
  })

  test('error: -32521 with the revert data, and -32602 for state overrides', async () => {
    const { account } = await createAccount()
    const reverting = encodeFunctionData({
      abi: parseAbi(['function noSuchFunction()']),
    })
    const callData = await account.encodeCalls([{ to: entryPoint07Address, data: reverting }])
    const operation = await prepare(account, { callData, signature: await account.getStubSignature() })
    expect(await estimate(operation)).toMatchObject({
      error: { code: -32521, data: { code: 'EXECUTION_REVERTED', revertData: expect.stringMatching(/^0x/) } },
    })
    expect(await estimate(operation, {})).toMatchObject({ error: { code: -32602 } })
  })

  test('behavior: viem maps the errors to its error classes', async () => {
    const { account } = await createAccount(0n)
    const bundler = createBundlerClient({ account, client: publicClient(), transport: http(url()) })
    const calls = [{ to: payee }]
    const causeOf = async (promise: Promise<unknown>) =>
      promise.then(
        () => undefined,
        (error: { cause?: unknown }) => error.cause,
      )
    expect(await causeOf(bundler.sendUserOperation({ calls }))).toBeInstanceOf(InsufficientPrefundError)
    const data = stringToHex('no such function')
    const reverts = bundler.sendUserOperation({ calls: [{ to: entryPoint07Address, data }] })
    expect(await causeOf(reverts)).toMatchObject({ name: 'ExecutionRevertedError' })
  })
})

describe('reads', () => {
  const nothing = hashAccountMessage({ message: 'nothing' })

  test('behavior: null for an unknown operation, -32602 without a hash', async () => {
    for (const method of ['eth_getUserOperationByHash', 'eth_getUserOperationReceipt']) {
      expect(await call(method, [nothing])).toEqual({ jsonrpc: '2.0', id: 1, result: null })
      expect(await call(method, ['0x12'])).toMatchObject({ error: { code: -32602 } })
    }
  })

  test('behavior: wallet_getCallsStatus and wallet_getCapabilities (EIP-5792)', async () => {
    const { account } = await createAccount()
    const { result: hash } = await send(await prepare(account))
    const bundler = createBundlerClient({
      client: publicClient(),
      transport: http(url()),
      pollingInterval: 25,
    })
    await bundler.waitForUserOperationReceipt({ hash })
    const id = concat([hash, numberToHex(31337, { size: 32 })])
    for (const name of [id, hash]) {
      expect(await call('wallet_getCallsStatus', [name])).toMatchObject({
        result: {
          version: '2.0.0',
          id: name,
          chainId: '0x7a69',
          status: 200,
          atomic: true,
          receipts: [{ status: '0x1' }],
        },
      })
    }
    const unknown = [
      concat([nothing, numberToHex(31337, { size: 32 })]),
      concat([hash, numberToHex(1, { size: 32 })]),
    ]
    for (const name of unknown)
      expect(await call('wallet_getCallsStatus', [name])).toMatchObject({ error: { code: 5730 } })
    for (const malformed of [`${hash}${'z'.repeat(64)}`, '0x', 7, undefined])
      expect(await call('wallet_getCallsStatus', [malformed])).toMatchObject({ error: { code: -32602 } })
    expect(await call('wallet_getCapabilities', [account.address])).toMatchObject({
      result: { '0x7a69': { atomic: { status: 'supported' } } },
    })
    expect(await call('wallet_getCapabilities', [account.address, ['0x1']])).toMatchObject({ result: {} })
  })

  test('error: -32501 if the service has no gas policy (ERC-7677)', async () => {
    const { account } = await createAccount()
    const operation = await prepare(account)
    expect(
      await call('pm_getPaymasterStubData', [operation, entryPoint07Address, '0x7a69', {}]),
    ).toMatchObject({
      error: { code: -32501, data: { code: 'PAYMASTER_REFUSED' } },
    })
  })
})

test('error: HTTP status 401, 403, 413 or 415 before any method runs', async () => {
  const secret = 'a-secret-of-32-characters-xxxxxx'
  await using guarded = await startPasskeyService({ environment: { API_KEYS: `server:${secret}` } })
  const publishable = { kind: 'publishable', name: 'app', origins: [origin] } as const
  const { key } = await createApiKey(guarded.database, publishable, new Date())
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
  const ask = async (headers: Record<string, string>, text = body) => {
    const response = await fetch(rpcUrl(guarded), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    })
    return [response.status, await response.json()]
  }
  const own = { 'x-api-key': secret }
  const answered = [200, { jsonrpc: '2.0', id: 1, result: '0x7a69' }]
  expect(await ask({})).toMatchObject([401, { code: 'UNAUTHORIZED' }])
  expect(await ask({ 'x-api-key': key, origin: 'https://other.example' })).toMatchObject([403, {}])
  expect(await ask(own, `${body}${' '.repeat(256 * 1024)}`)).toMatchObject([
    413,
    { code: 'PAYLOAD_TOO_LARGE' },
  ])
  expect(await ask({ ...own, 'content-type': 'text/plain' })).toMatchObject([
    415,
    { code: 'UNSUPPORTED_MEDIA_TYPE' },
  ])
  expect(await ask({ 'x-api-key': key, origin })).toEqual(answered)
  expect(await ask(own)).toEqual(answered)
})
