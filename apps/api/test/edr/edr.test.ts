/** @module-tag all */
import { encodeAddSigner, signerId } from '@lanyard/smart-balance'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inclusionsOf } from '../inclusions-of.ts'
import { type OrderService, payee, sign } from '../orders/order-service.ts'
import { startEdrService } from './start-edr-service.ts'

const [source, output] = [31337, 31338] as const

let service: OrderService
beforeAll(async () => {
  service = await startEdrService({ chainIds: [source, output] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

type Wallet = Awaited<ReturnType<OrderService['createWallet']>>

async function createFundedWallet(chainIds: readonly number[] = [output]): Promise<Wallet> {
  const wallet = await service.createWallet()
  for (const chainId of chainIds)
    await service.on(chainId).chain.setBalance({ address: wallet.address, value: 10n ** 18n })
  return wallet
}

const transferOne = { targetContractAddress: payee, value: '1', encodedData: '0x' }

async function send(
  { owner, address }: Wallet,
  chainId: number,
  calls: readonly object[],
  more: object = {},
) {
  const built = await service.build({
    network: String(chainId),
    walletAddress: address,
    transactionDetails: calls,
    ...more,
  })
  expect(built).toMatchObject({ status: 200 })
  const signature = await sign.raw(owner, built.body.messageToSign)
  const submission = { walletAddress: address, signature }
  let answer = await service.submit(submission)
  // A busy machine may need longer than a request waits.
  while (answer.body.code === 'INCLUSION_TIMEOUT') answer = await service.submit(submission)
  return { built: built.body, answer }
}

/** Pins the account's owner as the signer of its deposit, as a wallet does: by an operation. */
const pin = (wallet: Wallet, chainId: number) => {
  const { data, to } = encodeAddSigner(service.on(chainId).smartBalance, signerId(wallet.signer))
  return send(wallet, chainId, [{ targetContractAddress: to, value: '0', encodedData: data }])
}

describe('operations on a second implementation of a node', () => {
  test('default: creates an account, deploys it with its first operation, and sends a second', async () => {
    const wallet = await createFundedWallet()
    const { chain } = service.on(output)
    const before = await chain.getBalance({ address: payee })
    const first = await send(wallet, output, [transferOne])
    expect(first.answer).toMatchObject({ status: 200, body: { success: true } })
    expect(await chain.getCode({ address: wallet.address })).toBeDefined()
    const second = await send(wallet, output, [transferOne])
    expect(second.answer).toMatchObject({ status: 200, body: { success: true } })
    expect(second.answer.body.txnHash).not.toBe(first.answer.body.txnHash)
    expect((await chain.getBalance({ address: payee })) - before).toBe(2n)
  })

  test('behavior: a call that reverts on the chain is included, with its reason', async () => {
    const wallet = await createFundedWallet()
    const encodedData = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [payee, 1n] })
    const call = {
      targetContractAddress: service.on(output).settlementToken.address,
      value: '0',
      encodedData,
    }
    const rejected = await service.build({
      network: String(output),
      walletAddress: wallet.address,
      transactionDetails: [call],
    })
    expect(rejected).toMatchObject({ status: 400 })
    const { answer } = await send(wallet, output, [call], { allowRevert: true })
    expect(answer).toMatchObject({ status: 200, body: { success: false } })
  })

  test('behavior: operations at the same time are included once each, although the node holds no later nonces', async () => {
    const wallets = await Promise.all(Array.from({ length: 6 }, () => createFundedWallet()))
    const sent = await Promise.all(wallets.map((wallet) => send(wallet, output, [transferOne])))
    for (const { answer } of sent) expect(answer).toMatchObject({ status: 200, body: { success: true } })
    for (const { address } of wallets) {
      expect(await inclusionsOf(service.on(output).chain, address)).toHaveLength(1)
    }
  })

  test('behavior: an operation becomes final, and its transfer is listed', async () => {
    const wallet = await createFundedWallet()
    const { address: receiver } = await service.createWallet()
    await service.mint(output, wallet.address, 5_000_000n)
    const { answer } = await send(wallet, output, [service.transfer(output, receiver, 2_000_000n)])
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    await service.finalize(output)
    const { userOpHash } = answer.body
    const status = async () =>
      (await service.rest.get(`/smart-account/transaction/status?userOpHash=${userOpHash}`)).body
    await expect.poll(async () => (await status()).final, { interval: 200 }).toBe(true)
    const { body } = await service.rest.get(`/wallet/transfers?walletAddress=${receiver}`)
    expect(body.networks).toContainEqual(
      expect.objectContaining({
        network: String(output),
        available: true,
        transfers: [expect.objectContaining({ txnHash: answer.body.txnHash, amount: '2000000' })],
      }),
    )
  })
})

describe('the smart balance on a second implementation of a node', () => {
  test('behavior: an order is paid on one network, and settled from the deposits on both', async () => {
    const wallet = await createFundedWallet([source, output])
    for (const chainId of [source, output]) {
      await service.deposit(chainId, wallet.address, 100_000_000n)
      expect((await pin(wallet, chainId)).answer).toMatchObject({ status: 200, body: { success: true } })
      await service.finalize(chainId)
    }
    const { body: balance } = await service.rest.get(
      `/v3/smartbalance/getbalance?walletAddress=${wallet.address}`,
    )
    expect(balance.netBalance).toBe('200000000')
    const shop: Address = `0x${'5a'.repeat(20)}`
    const { built, answer } = await send(wallet, output, [service.transfer(output, shop, 150_000_000n)], {
      orderData: { amount: '150000000' },
    })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(await service.balanceOf(output, shop)).toBe(150_000_000n)
    const { orderId } = built.order
    const read = async () => (await service.rest.get(`/v3/smartbalance/order?orderId=${orderId}`)).body
    await expect.poll(async () => (await read()).state, { interval: 300 }).toBe('SETTLED')
    const { total } = await read()
    const deposits = await Promise.all(
      [source, output].map((chainId) => service.depositOf(chainId, wallet.address)),
    )
    expect(deposits.reduce((sum, one) => sum + one, 0n)).toBe(200_000_000n - BigInt(total))
  })
})
