/** @module-tag all */
import {
  type Address,
  concat,
  encodeErrorResult,
  encodeFunctionData,
  type Hash,
  type Hex,
  numberToHex,
  parseAbi,
  parseEther,
  size,
} from 'viem'
import { entryPoint07Abi, entryPoint07Address, formatUserOperationRequest } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../src/domain/operations/track/reconcile.ts'
import { rpcMethods } from '../../src/transport/rpc/rpc-methods.ts'
import { type PasskeyService, startPasskeyService } from '../passkeys/passkey-service.ts'
import {
  callRpc,
  createRpcAccount,
  draftOperation,
  draftSponsored,
  hashOf,
  type Json,
  nodeClient,
  prepare,
  prepareValid,
  rpcUrl,
  sendAccepted,
  waitForReceipt,
  withoutBlocks,
} from './rpc-client.ts'
import { requireStandardResult, type StandardMethod, standardMethods } from './schemas.ts'

/*
 * The RPC cases of eth-infinitism/bundler-spec-tests, with accounts of the service as test wallets, and the results and
 * errors of ERC-7769, ERC-7677 and EIP-5792.
 */

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService({ smartBalance: true })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const call = (method: string, ...params: unknown[]) => callRpc(rpcUrl(service), method, params)
/** Calls a method and returns its result, checked against the schema of the standard. */
async function ask(method: StandardMethod, ...params: unknown[]): Promise<Json> {
  const answer = await call(method, ...params)
  requireStandardResult(method, answer)
  return answer.result
}

const chainId = '0x7a69'
const nothing: Hash = `0x${'5a'.repeat(32)}`
const bundleId = (hash: Hash) => concat([hash, numberToHex(31337, { size: 32 })])
const receiptOf = (hash: Hash) => waitForReceipt(rpcUrl(service), nodeClient(service), hash)

test('default: every method of the standards has a schema', () => {
  const others = ['pimlico_getTokenQuotes', 'pimlico_getUserOperationGasPrice']
  expect([...standardMethods, ...others].toSorted()).toEqual([...rpcMethods.keys()].toSorted())
})

describe('results', () => {
  test('eth_chainId, eth_supportedEntryPoints', async () => {
    expect(await ask('eth_chainId')).toBe(chainId)
    expect(await ask('eth_supportedEntryPoints')).toEqual([entryPoint07Address])
  })

  test('eth_estimateUserOperationGas: paymaster gas limits only with a paymaster', async () => {
    const { account } = await createRpcAccount(service)
    const { sender, nonce, callData, factory, factoryData } = await prepare(account)
    const bare = { sender, nonce, callData, factory, factoryData }
    expect(Object.keys(await ask('eth_estimateUserOperationGas', bare, entryPoint07Address))).toHaveLength(3)
    const {
      sponsor: _,
      isFinal: __,
      ...paymaster
    } = await ask(...(['pm_getPaymasterStubData', bare, entryPoint07Address, chainId, {}] as const))
    const estimate = await ask('eth_estimateUserOperationGas', { ...bare, ...paymaster }, entryPoint07Address)
    expect(Number(estimate.paymasterVerificationGasLimit)).toBeGreaterThan(0)
  })

  test('eth_sendUserOperation: returns the hash; a pending operation has no block, an included one has all members', async () => {
    const { account } = await createRpcAccount(service)
    const operation = await prepare(account)
    const hash = hashOf(operation)
    await withoutBlocks(service, async () => {
      expect(await ask('eth_sendUserOperation', operation, entryPoint07Address)).toBe(hash)
      const pending = await ask('eth_getUserOperationByHash', hash)
      expect(pending).toMatchObject({ entryPoint: entryPoint07Address, blockHash: null })
      expect(await ask('eth_getUserOperationReceipt', hash)).toBeNull()
      expect(await ask('wallet_getCallsStatus', hash)).toMatchObject({ status: 100 })
    })
    const included = await receiptOf(hash)
    const found = await ask('eth_getUserOperationByHash', hash)
    expect(hashOf(found.userOperation)).toBe(hash)
    expect(found).toMatchObject({
      transactionHash: included.receipt.transactionHash,
      blockHash: included.receipt.blockHash,
    })
    const receipt = await ask('eth_getUserOperationReceipt', hash)
    const node = await service.chain.request({
      method: 'eth_getTransactionReceipt',
      params: [included.receipt.transactionHash],
    } as never) // viem types this method for its test client only
    expect(receipt).toMatchObject({ success: true, userOpHash: hash, sender: account.address, receipt: node })
    expect(receipt.reason).toBeUndefined()
    expect(await ask('wallet_getCallsStatus', bundleId(hash))).toMatchObject({ status: 200 })
  })

  test('eth_getUserOperationReceipt: a reverted operation has its revert data and status 500 of EIP-5792', async () => {
    const { account } = await createRpcAccount(service)
    await receiptOf(await sendAccepted(rpcUrl(service), await prepare(account)))
    const data = encodeFunctionData({
      abi: entryPoint07Abi,
      functionName: 'withdrawTo',
      args: [account.address, parseEther('9')],
    })
    const withReason = [{ to: entryPoint07Address, data }]
    const withoutReason = [{ to: account.address, value: parseEther('9') }]
    for (const calls of [withReason, withoutReason]) {
      const callData = await account.encodeCalls(calls)
      const hash = await sendAccepted(rpcUrl(service), await prepare(account, { callData }))
      await receiptOf(hash)
      const receipt = await ask('eth_getUserOperationReceipt', hash)
      expect(receipt).toMatchObject({ success: false, receipt: { status: '0x1' } })
      expect(receipt.reason).toBe(
        calls === withReason
          ? encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['Withdraw amount too large'] })
          : undefined,
      )
      expect(await ask('wallet_getCallsStatus', bundleId(hash))).toMatchObject({
        status: 500,
        receipts: [{ status: '0x0' }],
      })
    }
  })

  test('wallet_getCallsStatus: an operation that can no longer be included has status 400', async () => {
    const created = await createRpcAccount(service)
    const { timestamp } = await service.chain.getBlock()
    const operation = await prepareValid(created, { validUntil: Number(timestamp) + 600 })
    await withoutBlocks(service, async () => {
      const hash = await sendAccepted(rpcUrl(service), operation)
      await service.chain.increaseTime({ seconds: 3_600 })
      await service.chain.mine({ blocks: 6 })
      const { operations, networks } = service.service.services
      // A pass leaves a row to the next one that the first delivery, still under way, has just changed.
      await expect
        .poll(async () => {
          await reconcile(operations, networks.get(31337))
          return ask('wallet_getCallsStatus', bundleId(hash))
        })
        .toMatchObject({ status: 400 })
      expect(await ask('eth_getUserOperationReceipt', hash)).toBeNull()
    })
  })

  test('pm_getPaymasterData: the data has the length of its stub and at least as many zero bytes (ERC-7677)', async () => {
    const { account } = await createRpcAccount(service, 0n)
    const draft = formatUserOperationRequest(await draftSponsored(rpcUrl(service), account))
    const stub = await ask('pm_getPaymasterStubData', draft, entryPoint07Address, chainId, {})
    const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = stub
    const final = await ask(
      'pm_getPaymasterData',
      { ...draft, paymasterVerificationGasLimit, paymasterPostOpGasLimit },
      ...[entryPoint07Address, chainId, {}],
    )
    const zeros = (data: Hex) => Buffer.from(data.slice(2), 'hex').filter((byte) => byte === 0).length
    expect(size(stub.paymasterData)).toBe(size(final.paymasterData))
    expect(zeros(stub.paymasterData)).toBeLessThanOrEqual(zeros(final.paymasterData))
    expect(final.paymaster).toBe(stub.paymaster)
  })

  test('wallet_getCapabilities: returns the capabilities of this network only', async () => {
    const capabilities = { [chainId]: { atomic: { status: 'supported' } } }
    const { account } = await createRpcAccount(service)
    for (const more of [[], [null], [[chainId]], [['0x1', '0x07A69']]])
      expect(await ask('wallet_getCapabilities', account.address, ...more)).toEqual(capabilities)
    for (const other of [[], ['0x1']])
      expect(await ask('wallet_getCapabilities', account.address, other)).toEqual({})
  })
})

describe('errors', () => {
  /** The row counts of all tables that a refused call could write to. */
  const countRows = async () => {
    const count = async (table: 'accounts' | 'operations' | 'orders') =>
      (await service.database.selectFrom(table).selectAll().execute()).length
    return {
      accounts: await count('accounts'),
      operations: await count('operations'),
      orders: await count('orders'),
    }
  }
  async function expectCode(code: number, method: string, ...params: unknown[]): Promise<void> {
    const answer = await call(method, ...params)
    const named = `${method} ${JSON.stringify(params)}: ${JSON.stringify(answer)}`
    expect(answer.error, named).toMatchObject({ code, message: expect.stringMatching(/^\S.{5,}$/) })
  }
  async function expectRejected(...parameters: Parameters<typeof expectCode>): Promise<void> {
    const before = await countRows()
    await expectCode(...parameters)
    expect(await countRows(), JSON.stringify(parameters)).toEqual(before)
  }

  const malformed: unknown[] = [
    undefined,
    null,
    0,
    12.5,
    true,
    '',
    '0x',
    '0xzz',
    'text',
    [],
    {},
    `0x${'ab'.repeat(33)}`,
  ]

  const payee: Address = '0x00000000000000000000000000000000000000Ad'
  const notOperations = (operation: object) => [...malformed, [operation]]
  const notEntryPoints = [...malformed, payee, [entryPoint07Address]]
  const notHashes = [...malformed, [nothing], nothing.slice(2), `0X${nothing.slice(2)}`]
  const notChainIds = ['0x1', 31337, '31337', true, [chainId], {}, '', '0x', 'text']

  /** A valid parameter and invalid values for it. A call without an optional parameter succeeds too. */
  interface Parameter {
    readonly value: unknown
    readonly wrong: readonly unknown[]
    readonly optional?: boolean
  }
  const operationOf = (operation: object): Parameter => ({
    value: operation,
    wrong: notOperations(operation),
  })
  const entryPoint: Parameter = { value: entryPoint07Address, wrong: notEntryPoints }
  const hash: Parameter = { value: nothing, wrong: notHashes }
  const ofPaymaster = (operation: object): readonly Parameter[] => [
    operationOf(operation),
    entryPoint,
    { value: chainId, wrong: notChainIds, optional: true },
    { value: {}, wrong: [], optional: true }, // ERC-7677 leaves the context to the paymaster
  ]
  interface Inputs {
    readonly operation: object
    readonly unsponsored: object
    readonly account: Address
  }
  const parameters: Record<string, (inputs: Inputs) => readonly Parameter[]> = {
    eth_chainId: () => [],
    eth_supportedEntryPoints: () => [],
    pimlico_getUserOperationGasPrice: () => [],
    pimlico_getTokenQuotes: () => [
      { value: { tokens: [payee] }, wrong: [...malformed, {}, { tokens: [] }, { tokens: ['0x12'] }] },
      entryPoint,
      { value: chainId, wrong: notChainIds, optional: true },
    ],
    eth_sendUserOperation: ({ operation }) => [operationOf(operation), entryPoint],
    eth_estimateUserOperationGas: ({ operation }) => [
      operationOf(operation),
      entryPoint,
      { value: null, wrong: [{}, [], 0, 'text', true], optional: true },
    ],
    pm_getPaymasterStubData: ({ unsponsored }) => ofPaymaster(unsponsored),
    pm_getPaymasterData: ({ unsponsored }) => ofPaymaster(unsponsored),
    eth_getUserOperationByHash: () => [hash],
    eth_getUserOperationReceipt: () => [hash],
    wallet_getCallsStatus: () => [hash],
    wallet_getCapabilities: ({ account }) => [
      { value: account, wrong: [...malformed, account.slice(2), [account]] },
      {
        value: [chainId],
        wrong: ['0x1', 1, true, {}, [1], ['1'], ['0x'], [null], [[chainId]]],
        optional: true,
      },
    ],
  }
  test('default: the table has the parameters of every method', () => {
    expect(Object.keys(parameters).toSorted()).toEqual([...rpcMethods.keys()].toSorted())
  })

  describe.each(Object.entries(parameters))('%s', (method, of) => {
    const inputs = async (): Promise<Inputs> => {
      const { account } = await createRpcAccount(service)
      const gas = { paymasterVerificationGasLimit: 50_000n, paymasterPostOpGasLimit: 0n }
      const unsponsored = formatUserOperationRequest(await draftSponsored(rpcUrl(service), account, gas))
      return { operation: await prepare(account), unsponsored, account: account.address }
    }

    test('error: -32602 for a missing or invalid parameter; nothing is written', async () => {
      const all = of(await inputs())
      const values = all.map(({ value }) => value)
      const before = await countRows()
      for (const [index, { wrong, optional }] of all.entries()) {
        if (!optional) await expectCode(-32602, method, ...values.slice(0, index))
        for (const value of wrong) await expectCode(-32602, method, ...values.with(index, value))
      }
      expect(await countRows()).toEqual(before)
    })

    test('error: -32602 on a network that the service does not serve', async () => {
      const before = await countRows()
      const values = of(await inputs()).map(({ value }) => value)
      for (const chain of [1, 31338, 9_007_199_254_740_991])
        expect(await callRpc(rpcUrl(service, `/rpc/${chain}`), method, values)).toMatchObject({
          error: { code: -32602, data: { code: 'UNKNOWN_NETWORK' } },
        })
      expect(await countRows()).toEqual(before)
    })

    test('behavior: extra parameters are ignored', async () => {
      const [all, again] = [of(await inputs()), of(await inputs())]
      const more = [{}, 'more', 7, null]
      const required = again.filter(({ optional }) => !optional)
      const exact = await call(method, ...required.map(({ value }) => value))
      const longer = await call(method, ...all.map(({ value }) => value), ...more)
      const codeOf = ({ error }: Json) => error?.code
      const expected = method === 'wallet_getCallsStatus' ? 5730 : undefined // the bundle is unknown
      expect([codeOf(exact), codeOf(longer)]).toEqual([expected, expected])
      expect(typeof longer.result).toBe(typeof exact.result)
    })
  })

  test('error: 5730 for wallet_getCallsStatus of an unknown bundle', async () => {
    for (const id of [nothing, bundleId(nothing), concat([nothing, numberToHex(1, { size: 32 })])])
      await expectRejected(5730, 'wallet_getCallsStatus', id)
  })

  const withOperation = [
    'eth_sendUserOperation',
    'eth_estimateUserOperationGas',
    'pm_getPaymasterStubData',
    'pm_getPaymasterData',
  ]

  test.each(withOperation)('error: -32602 for %s with a malformed member', async (method) => {
    const { account } = await createRpcAccount(service)
    const operation = await prepare(account, {
      ...{ paymaster: payee, paymasterData: '0x00' },
      ...{ paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n },
    })
    const wrong: unknown[] = [12, true, '12', '0xz', {}, [], `0x${'11'.repeat(33)}`]
    for (const name of Object.keys(operation)) {
      const isData = ['callData', 'factoryData', 'paymasterData', 'signature'].includes(name)
      for (const value of isData ? wrong.slice(0, -1) : wrong)
        await expectRejected(
          -32602,
          method,
          { ...operation, [name]: value },
          entryPoint07Address,
          chainId,
          {},
        )
    }
    for (const name of ['sender', 'nonce', 'callData', 'factory'])
      await expectRejected(-32602, method, { ...operation, [name]: null }, entryPoint07Address, chainId, {})
    const delegated = { ...operation, eip7702Auth: { chainId } }
    await expectRejected(-32602, method, delegated, entryPoint07Address, chainId, {})
  })

  test('error: -32602 for eth_sendUserOperation without a hashed or signed member', async () => {
    const { account } = await createRpcAccount(service)
    const operation = await prepare(account)
    const required = Object.keys(operation).filter((name) => name !== 'factoryData')
    for (const name of required)
      await expectRejected(
        -32602,
        'eth_sendUserOperation',
        { ...operation, [name]: undefined },
        entryPoint07Address,
      )
  })

  test('error: -32602 for paymaster members without a paymaster', async () => {
    const { account } = await createRpcAccount(service)
    const operation = await prepare(account)
    for (const more of [
      { paymasterData: '0x01' },
      { paymasterVerificationGasLimit: '0x1' },
      { paymasterPostOpGasLimit: '0x1' },
    ])
      for (const method of ['eth_sendUserOperation', 'eth_estimateUserOperationGas'])
        await expectRejected(-32602, method, { ...operation, ...more }, entryPoint07Address)
    const empty = { paymasterData: '0x', paymasterVerificationGasLimit: '0x0', paymaster: null }
    expect(await ask('eth_sendUserOperation', { ...operation, ...empty }, entryPoint07Address)).toBe(
      hashOf(operation),
    )
  })

  test('error: -32602 for a preVerificationGas below the cost of the bytes; the nonce stays free', async () => {
    const { account } = await createRpcAccount(service)
    const operation = await prepare(account, { preVerificationGas: 21_000n })
    expect(await call('eth_sendUserOperation', operation, entryPoint07Address)).toMatchObject({
      error: { code: -32602, data: { code: 'FEE_TOO_LOW', requiredPreVerificationGas: expect.any(String) } },
    })
    await receiptOf(await sendAccepted(rpcUrl(service), await prepare(account)))
  })

  test('error: -32602 for pm_getPaymasterData without its gas limit', async () => {
    const { account } = await createRpcAccount(service, 0n)
    const draft = formatUserOperationRequest(await draftOperation(account))
    await expectRejected(-32602, 'pm_getPaymasterData', draft, entryPoint07Address, chainId, {})
  })

  test('error: -32500 with AA25 for a nonce that is used or not the next one', async () => {
    const { account } = await createRpcAccount(service)
    await receiptOf(await sendAccepted(rpcUrl(service), await prepare(account)))
    for (const nonce of [0n, 2n, (7n << 64n) + 1n]) {
      const operation = await prepare(account, { nonce, callGasLimit: 210_000n })
      await expectRejected(-32500, 'eth_sendUserOperation', operation, entryPoint07Address)
      expect(await call('eth_sendUserOperation', operation, entryPoint07Address)).toMatchObject({
        error: { message: expect.stringMatching(/^AA25 invalid account nonce/), data: { code: 'REBUILD' } },
      })
      await expectRejected(-32500, 'eth_estimateUserOperationGas', operation, entryPoint07Address)
    }
  })

  test('error: -32507 for a stub signature', async () => {
    const { account } = await createRpcAccount(service)
    const forged = await prepare(account, { signature: await account.getStubSignature() })
    await expectRejected(-32507, 'eth_sendUserOperation', forged, entryPoint07Address)
  })

  test('error: -32602 for params by name; -32600 for params that are not a structure', async () => {
    const post = async (params: unknown) => {
      const response = await fetch(rpcUrl(service), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_getUserOperationByHash', params }),
      })
      return response.json()
    }
    expect(await post({ hash: nothing })).toMatchObject({ id: 7, error: { code: -32602 } })
    for (const params of ['text', 1, true, null])
      expect(await post(params)).toMatchObject({ id: 7, error: { code: -32600 } })
  })
})
