import { devRoles } from '@lanyard/devnet'
import { publicKeyOf, startFakeSigner } from '@lanyard/signers/fake-signer'
import { reportFigure } from '@lanyard/testing'
import { parseEther } from 'viem'
import { setSignEntropy } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'
import { type RestClient, restClient } from '../rest.ts'
import { type GatedSigner, remoteOperator, startGatedSigner } from './gated-signer.ts'
import { startLyingSigner } from './lying-signer.ts'

const [source, output] = [31337, 31338] as const
const amount = 50_000_000n
const nothing = { targetContractAddress: payee, value: '0', encodedData: '0x' }

/**
 * On PGlite: there everything waits for a transaction that is open, so whatever is answered meanwhile shows that none
 * is.
 */
let service: OrderService
let signer: GatedSigner
beforeAll(async () => {
  signer = await startGatedSigner()
  service = await startOrderService({
    engine: 'pglite',
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
/** Of 50, 30 come from the account's own deposit: so the operator signs twice, the withdrawal and the order. */
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

test('default: spends the combined balance, with the withdrawal co-signed and the order signed elsewhere', async () => {
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
  test('behavior: blocks nobody but who waits for it', async () => {
    const spender = await createSpender()
    const waiting = service.build(spending(spender.address))
    let answered = false
    void waiting.then(() => {
      answered = true
    })
    await signer.held(1)

    // Everything that asks the database, of other accounts and of the same one.
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
    // Liquidity is reserved under the lock of the output network, which the waiting one must not hold.
    expect((await service.solve({ walletAddress: other.address, ...quote })).status).toBe(200)
    expect(answered).toBe(false)

    signer.open()
    expect((await waiting).status).toBe(200)
    reportFigure(1, 'requests answered while a signer hung', 5)
  })

  test('behavior: sponsored builds that wait for it have a lane each', async () => {
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

  test('error: ORDER_EXPIRED when a newer order took the place of the one that waited, and its co-signature is gone', async () => {
    const { address: walletAddress } = await createSpender()
    const ask = { walletAddress, outputNetwork: output, amount: '20000000', type: 'AMOUNT_OUT' }
    const slow = service.solve(ask)
    const [held] = await signer.held(1)
    const newer = service.solve({ ...ask, amount: '21000000' })
    const [, later] = await signer.held(2)
    later?.letGo()
    const replaced = await newer
    expect(replaced.status).toBe(200)
    held?.letGo()
    expect(await slow).toMatchObject({ status: 400, body: { code: 'ORDER_EXPIRED' } })
    expect(await ordersOf(walletAddress)).toMatchObject([
      { state: 'EXPIRED', withdrawal_state: 'none', withdrawal_signature: null },
      { state: 'RESERVED', withdrawal_state: 'open', order_id: replaced.body.orderId },
    ])
  })

  test('behavior: a signer that answers other bytes each time makes one operation of one order', async () => {
    setSignEntropy(true) // as a KMS does: RFC 6979 is for those who have the key
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
    // Builds whose fees or gas differ are other operations of the order, at its nonce; the same one is there once.
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

  test('error: SIGNER_UNAVAILABLE, nothing is left behind, and it goes on when the signer is back', async () => {
    const { address } = await createSpender()
    const keys = [devRoles.operator.privateKey]
    const gone = await startFakeSigner({ keys })
    await gone.close()
    await using running = await withSigner(remoteOperator(gone))
    const unavailable = {
      status: 503,
      body: { code: 'SIGNER_UNAVAILABLE', message: expect.stringContaining('Nothing was lost') },
    }
    expect(await buildAt(running.rest, sponsored(address))).toMatchObject(unavailable)
    expect(await buildAt(running.rest, spending(address))).toMatchObject(unavailable)
    expect(await rows('nonce_holds')).toEqual([])
    expect(await ordersOf(address)).toMatchObject([{ state: 'EXPIRED', withdrawal_state: 'none' }])
    // Who needs no signature does not notice.
    await service.on(source).chain.setBalance({ address, value: parseEther('1') })
    const { paymasterData: _, ...own } = sponsored(address)
    expect((await buildAt(running.rest, own)).status).toBe(200)

    await using _back = await startFakeSigner({ keys, port: Number(new URL(gone.url).port) })
    expect((await buildAt(running.rest, spending(address))).status).toBe(200)
  })

  test("error: SIGNER_FAILED for another key's signature, and nobody gets it", async () => {
    const { address } = await createSpender()
    await using lying = await startLyingSigner()
    await using running = await withSigner({
      ...remoteOperator(lying),
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
