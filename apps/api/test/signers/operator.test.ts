/** @module-tag all */
// @promise 1

import { devRoles } from '@lanyard/devnet'
import { publicKeyOf, startFakeSigner } from '@lanyard/signers/fake-signer'
import { reportFigure } from '@lanyard/testing'
import { parseEther } from 'viem'
import { setSignEntropy } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'
import { type RestClient, restClient } from '../rest.ts'
import { type GatedSigner, remoteOperator, startGatedSigner } from './gated-signer.ts'
import { startWrongKeySigner } from './wrong-key-signer.ts'

const [source, output] = [31337, 31338] as const
const amount = 50_000_000n
const nothing = { targetContractAddress: payee, value: '0', encodedData: '0x' }

/**
 * The tests run on PGlite: an open transaction blocks every other query there, so an answer in the meantime proves that
 * no transaction is open.
 */
let service: OrderService
let signer: GatedSigner
beforeAll(async () => {
  signer = await startGatedSigner()
  service = await startOrderService({
    chainIds: [source, output],
    environment: remoteOperator(signer),
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await signer?.close()
})
beforeEach(() => signer.hold())
afterEach(() => signer.open())

const sponsored = (walletAddress: string) => ({
  network: String(source),
  walletAddress,
  transactionDetails: [nothing],
  paymasterData: 'sponsored',
})
/** 30 of 50 come from the account's own deposit, so the operator signs twice: the withdrawal and the order. */
const spending = (walletAddress: string) => ({
  network: String(output),
  walletAddress,
  transactionDetails: [service.transfer(output, payee, amount)],
  orderData: { amount: String(amount) },
})
async function createSpender() {
  const wallet = await service.createFunded([source])
  await service.deposit(output, wallet.address, 30_000_000n, wallet.signer)
  return wallet
}
const rows = (table: 'nonce_holds' | 'order_operations') =>
  service.database.db.selectFrom(table).selectAll().execute()
const ordersOf = (account: string) =>
  service.database.db
    .selectFrom('orders')
    .selectAll()
    .where('account', '=', account.toLowerCase())
    .orderBy('reserved_at')
    .execute()

test('default: a remote signer signs the order and the withdrawal of a spend', async () => {
  signer.open()
  const before = signer.signed()
  const { owner, address } = await createSpender()
  const { status, body } = await service.build(spending(address))
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { order: { signatures: { withdrawal: /0x/ } } },
  })
  expect(signer.signed() - before).toBeGreaterThanOrEqual(2)
  const signature = await sign.raw(owner, body.messageToSign)
  expect(await service.submit({ walletAddress: address, signature })).toMatchObject({
    status: 200,
    body: { success: true },
  })
})

describe('a slow signer', { tags: ['all'] }, () => {
  test('behavior: a slow signer blocks only the requests that need it', async () => {
    const spender = await createSpender()
    const waiting = service.build(spending(spender.address))
    let answered = false
    void waiting.then(() => {
      answered = true
    })
    await signer.held(1)

    // These requests use the database, for other accounts and for the same one.
    const other = await service.createFunded([source])
    await service.on(source).chain.setBalance({ address: other.address, value: parseEther('1') })
    const { paymasterData: _, ...own } = sponsored(other.address)
    const built = await service.build(own)
    expect(built.status).toBe(200)
    const signature = await sign.raw(other.owner, built.body.messageToSign)
    expect((await service.submit({ walletAddress: other.address, signature })).status).toBe(200)
    const quote = { outputNetwork: output, amount: String(amount), type: 'AMOUNT_OUT' }
    for (const walletAddress of [other.address, spender.address]) {
      const quoted = await service.rest.post('/v3/smartbalance/getquote', { walletAddress, ...quote })
      expect(quoted.status).toBe(200)
    }
    // Reserving liquidity needs the lock of the output network, which the waiting request must not hold.
    expect((await service.solve({ walletAddress: other.address, ...quote })).status).toBe(200)
    expect(answered).toBe(false)

    signer.open()
    expect((await waiting).status).toBe(200)
    reportFigure(1, 'requests answered while a signer hung', 5)
  })

  test('behavior: each waiting sponsored build has its own lane', async () => {
    const { owner, address } = await service.createWallet()
    signer.open()
    const first = await service.build(sponsored(address))
    await service.submit({
      walletAddress: address,
      signature: await sign.raw(owner, first.body.messageToSign),
    })
    signer.hold()
    const waiting = [1, 2, 3].map(() => service.build(sponsored(address)))
    await signer.held(3)
    expect(await rows('nonce_holds')).toHaveLength(3)
    signer.open()
    const nonces = (await Promise.all(waiting)).map(({ body }) => body.userOp.nonce)
    expect(new Set(nonces).size).toBe(3)
    expect(await rows('nonce_holds')).toEqual([])
  })

  test('error: ORDER_EXPIRED if a newer order replaced the waiting one, whose co-signature is discarded', async () => {
    const { address: walletAddress } = await createSpender()
    const ask = { walletAddress, outputNetwork: output, amount: '20000000', type: 'AMOUNT_OUT' }
    const slow = service.solve(ask)
    const [held] = await signer.held(1)
    const newer = service.solve({ ...ask, amount: '21000000' })
    const [, later] = await signer.held(2)
    later?.release()
    const replaced = await newer
    expect(replaced.status).toBe(200)
    held?.release()
    expect(await slow).toMatchObject({ status: 400, body: { code: 'ORDER_EXPIRED' } })
    expect(await ordersOf(walletAddress)).toMatchObject([
      { state: 'EXPIRED', withdrawal_state: 'none', withdrawal_signature: null },
      { state: 'RESERVED', withdrawal_state: 'open', order_id: replaced.body.orderId },
    ])
  })

  test('behavior: a signer with non-deterministic signatures leads to one operation per order', async () => {
    setSignEntropy(true) // like a KMS, without the deterministic nonces of RFC 6979
    const { address: walletAddress, owner } = await service.createFunded([source])
    const order = { walletAddress, outputNetwork: output, amount: String(amount), type: 'AMOUNT_OUT' }
    const { body: solution } = await service.solve(order)
    const claim = { ...solution.transactions.claim, value: '0' }
    const before = await service.balanceOf(output, payee)
    const waiting = [1, 2, 3].map(() =>
      service.build({
        network: String(output),
        walletAddress,
        transactionDetails: [claim, service.transfer(output, payee, amount)],
        paymasterData: solution.signatures.paymaster,
      }),
    )
    await signer.held(3)
    signer.open()
    const built = await Promise.all(waiting)
    for (const { status, body } of built) expect({ status, body }).toMatchObject({ status: 200 })
    // Builds with different fees or gas are different operations at the order's nonce. Equal builds share one
    // operation.
    expect(new Set(built.map(({ body }) => body.userOp.nonce)).size).toBe(1)
    const links = (await rows('order_operations')).filter(({ order_id }) => order_id === solution.orderId)
    expect(new Set(built.map(({ body }) => body.messageToSign)).size).toBe(links.length)
    const signatures = await Promise.all(built.map(({ body }) => sign.raw(owner, body.messageToSign)))
    await Promise.all(signatures.map((signature) => service.submit({ walletAddress, signature })))
    const { scale } = service.on(output)
    expect(await service.balanceOf(output, payee)).toBe(before + amount * scale)
  })
})

describe('a signer that fails', () => {
  /** The same service with another signer, on the same database and chains. */
  async function withSigner(environment: Record<string, string>) {
    const running = await service.start(environment)
    return { ...running, rest: restClient(running.url) }
  }
  const buildAt = (rest: RestClient, body: object) => rest.post('/smart-account/transaction/build', body)

  test('error: SIGNER_UNAVAILABLE leaves nothing behind, and builds succeed when the signer is back', async () => {
    const { address } = await createSpender()
    const keys = [devRoles.operator.privateKey]
    const stopped = await startFakeSigner({ keys })
    await stopped.close()
    await using running = await withSigner(remoteOperator(stopped))
    const unavailable = {
      status: 503,
      body: { code: 'SIGNER_UNAVAILABLE', message: expect.stringContaining('Nothing was lost') },
    }
    expect(await buildAt(running.rest, sponsored(address))).toMatchObject(unavailable)
    expect(await buildAt(running.rest, spending(address))).toMatchObject(unavailable)
    expect(await rows('nonce_holds')).toEqual([])
    expect(await ordersOf(address)).toMatchObject([{ state: 'EXPIRED', withdrawal_state: 'none' }])
    // Requests that need no signature still succeed.
    await service.on(source).chain.setBalance({ address, value: parseEther('1') })
    const { paymasterData: _, ...own } = sponsored(address)
    expect((await buildAt(running.rest, own)).status).toBe(200)

    await using _back = await startFakeSigner({ keys, port: Number(new URL(stopped.url).port) })
    expect((await buildAt(running.rest, spending(address))).status).toBe(200)
  })

  test('error: SIGNER_FAILED for a signature of another key, which is never returned', async () => {
    const { address } = await createSpender()
    await using wrongKeySigner = await startWrongKeySigner()
    await using running = await withSigner({
      ...remoteOperator(wrongKeySigner),
      OPERATOR_PRIVATE_KEY: `remote:${publicKeyOf(devRoles.operator.privateKey)}`,
    })
    for (const body of [sponsored(address), spending(address)]) {
      expect(await buildAt(running.rest, body)).toMatchObject({
        status: 502,
        body: { code: 'SIGNER_FAILED' },
      })
    }
    expect(await rows('nonce_holds')).toEqual([])
    expect(await ordersOf(address)).toMatchObject([{ withdrawal_signature: null, state: 'EXPIRED' }])
    const operations = await service.database.db
      .selectFrom('operations')
      .select('user_op_hash')
      .where('account', '=', address.toLowerCase())
      .execute()
    expect(operations).toEqual([])
  })
})
