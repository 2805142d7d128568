/** @module-tag all */
import { type Address, type Hex, http, numberToHex, parseEther, slice } from 'viem'
import {
  createBundlerClient,
  createPaymasterClient,
  formatUserOperationRequest,
} from 'viem/account-abstraction'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../../src/domain/operations/track/reconcile.ts'
import { type PasskeyService, startPasskeyService, transfer } from '../passkeys/passkey-service.ts'
import {
  createRpcAccount,
  hashOf,
  nodeClient,
  payee,
  prepare,
  prepareValid,
  rpcUrl,
  sendAccepted,
  sendRpc,
  waitForReceipt,
  withoutBlocks,
} from './rpc-client.ts'

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService({ smartBalance: true })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const send = (operation: object) => sendRpc(rpcUrl(service), operation)
const network = () => service.service.services.networks.get(31337)
const head = () => service.chain.getBlock()
const readRow = (hash: Hex) =>
  service.database
    .selectFrom('operations')
    .selectAll()
    .where('user_op_hash', '=', hash)
    .executeTakeFirstOrThrow()

test('behavior: a sponsored operation expires with its paymaster data, even if its signature has no expiry', async () => {
  const { account } = await createRpcAccount(service, 0n)
  const bundler = createBundlerClient({
    ...{ account, client: nodeClient(service), transport: http(rpcUrl(service)) },
    paymaster: createPaymasterClient({ transport: http(rpcUrl(service)) }),
  })
  const prepared = await bundler.prepareUserOperation({ calls: [{ to: payee, value: 0n }] })
  const signature = await account.signUserOperation(prepared)
  const operation = formatUserOperationRequest({ ...prepared, signature })

  await withoutBlocks(service, async () => {
    const hash = await sendAccepted(rpcUrl(service), operation)
    expect(await readRow(hash)).toMatchObject({ valid_until: 0, final: false })
    await service.chain.increaseTime({ seconds: 3_600 })
    await service.chain.mine({ blocks: 6 })
    await expect
      .poll(
        async () => {
          await reconcile(service.service.services.operations, network())
          const { state, final } = await readRow(hash)
          return { state, final }
        },
        { interval: 200 },
      )
      .toEqual({ state: 'expired', final: true })
  })
  // The nonce is free again.
  await service.chain.setBalance({ address: account.address, value: parseEther('1') })
  const next = await send(await prepare(account))
  // If the expired operation's transaction was mined in time to revert, the account owes for it, and is told so.
  if (next.result === undefined) expect(next.error.data.code).toBe('GAS_OWED')
  else
    expect(await waitForReceipt(rpcUrl(service), nodeClient(service), next.result)).toMatchObject({
      success: true,
    })
})

/** Builds over REST and returns the operation in the form of JSON-RPC. */
async function buildOverRest(walletAddress: Address, more: object = {}) {
  const { body } = await service.post<{ userOp: Record<string, Hex>; messageToSign: Hex }>(
    '/smart-account/transaction/build',
    { network: '31337', walletAddress, transactionDetails: transfer('0'), ...more },
  )
  const { userOp, messageToSign } = body
  const big = (name: string) => BigInt(userOp[name] ?? 0)
  const paid = userOp.paymasterAndData ?? '0x'
  return {
    messageToSign,
    members: {
      nonce: big('nonce'),
      callData: userOp.callData ?? '0x',
      callGasLimit: big('callGasLimit'),
      verificationGasLimit: big('verificationGasLimit'),
      preVerificationGas: big('preVerificationGas'),
      maxFeePerGas: big('maxFeePerGas'),
      maxPriorityFeePerGas: big('maxPriorityFeePerGas'),
      ...(paid !== '0x' && {
        paymaster: slice(paid, 0, 20),
        paymasterVerificationGasLimit: BigInt(slice(paid, 20, 36)),
        paymasterPostOpGasLimit: BigInt(slice(paid, 36, 52)),
        paymasterData: slice(paid, 52),
      }),
    },
  }
}

test('behavior: a REST build that JSON-RPC refused with another validity can be submitted over REST', async () => {
  const created = await createRpcAccount(service)
  const { key, account } = created
  await service.post('/smart-account/create', { eoaAddress: key.address })
  const { members, messageToSign } = await buildOverRest(account.address)
  // The bytes of the validity are not zero. They cost more preVerificationGas than a build without bounds has, even if
  // some signature bytes are zero.
  // bytes of the signature are.
  const { timestamp } = await head()
  const validity = { validAfter: Number(timestamp) - 1_000, validUntil: Number(timestamp) + 3_000 }
  const operation = await prepareValid(created, validity, members)
  const hash = hashOf(operation)
  const { safe_op_hash, valid_until, sign_mode, built_by } = await readRow(hash)
  expect(await send(operation)).toMatchObject({ error: { data: { code: 'FEE_TOO_LOW' } } })
  expect(await readRow(hash)).toMatchObject({ state: 'built', safe_op_hash, valid_until, sign_mode })
  expect({ valid_until, built_by }).toEqual({ valid_until: 0, built_by: expect.any(String) })

  const signature = await key.signMessage({ message: { raw: messageToSign } })
  const answer = await service.post('/smart-account/transaction/submit', {
    ...{ walletAddress: account.address, signature },
  })
  expect(answer).toMatchObject({ status: 200, body: { userOpHash: hash, success: true } })
})

test('behavior: a REST build sent over JSON-RPC is included with the validity that its owner signed', async () => {
  const created = await createRpcAccount(service)
  await service.post('/smart-account/create', { eoaAddress: created.key.address })
  const { members } = await buildOverRest(created.account.address, { paymasterData: 'sponsored' })
  const operation = await prepareValid(created, {}, members)
  const hash = hashOf(operation)
  expect((await readRow(hash)).valid_until).toBeGreaterThan(0)
  expect(await sendAccepted(rpcUrl(service), operation)).toBe(hash)
  expect(await readRow(hash)).toMatchObject({ valid_until: 0 })
  expect(await waitForReceipt(rpcUrl(service), nodeClient(service), hash)).toMatchObject({ success: true })
})

test('behavior: a REST build that JSON-RPC cannot send keeps its message to sign', async () => {
  const created = await createRpcAccount(service)
  const { key, account } = created
  await service.post('/smart-account/create', { eoaAddress: key.address })
  const { members } = await buildOverRest(account.address, { paymasterData: 'sponsored' })
  const operation = await prepareValid(created, {}, members)
  const hash = hashOf(operation)
  const { safe_op_hash, valid_until } = await readRow(hash)
  await withoutBlocks(service, async () => {
    await sendAccepted(rpcUrl(service), await prepare(account, { nonce: 1n << 64n }))
    expect(await send(operation)).toMatchObject({
      error: { code: -32602, data: { code: 'OPERATION_IN_FLIGHT' } },
    })
  })
  expect(await readRow(hash)).toMatchObject({ state: 'built', safe_op_hash, valid_until })
})

test('error: -32503 with the validity for an operation outside its validity; nothing is written', async () => {
  const created = await createRpcAccount(service)
  const { timestamp } = await head()
  for (const validity of [
    { validAfter: 0, validUntil: Number(timestamp) - 1 },
    { validAfter: Number(timestamp) + 3_600, validUntil: 0 },
  ]) {
    expect(await send(await prepareValid(created, validity))).toMatchObject({
      error: {
        code: -32503,
        message: expect.stringMatching(/^AA22/),
        data: {
          code: 'REBUILD',
          validAfter: numberToHex(validity.validAfter),
          validUntil: numberToHex(validity.validUntil),
        },
      },
    })
  }
  const rows = await service.database
    .selectFrom('operations')
    .select('user_op_hash')
    .where('account', '=', created.account.address.toLowerCase())
    .execute()
  expect(rows).toEqual([])
  expect(await send(await prepareValid(created, {}))).toMatchObject({ result: expect.any(String) })
})
