import { decodeCalls } from '@lanyard/accounts'
import { decodePaymasterAndData, isSponsorship, maxValidity, minimumPostOpGas } from '@lanyard/smart-balance'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inclusionsOf } from '../inclusions-of.ts'
import { callsOf, type OrderService, payee, sign, startOrderService } from './order-service.ts'

let service: OrderService
beforeAll(async () => {
  service = await startOrderService({ production: true })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const output = 31339
/** Network 31339, whose token has 18 decimals. */
const scale = 10n ** 12n
const everywhere = [31337, 31338, 31339]
const fundedPasskey = async () => {
  const user = await service.createPasskeyUser()
  for (const chainId of everywhere) await service.deposit(chainId, user.address, 100_000_000n, user.signer)
  return user
}
const order = (paymasterAndData: `0x${string}`) => {
  const decoded = decodePaymasterAndData(paymasterAndData)
  if (!decoded.ok) throw new Error(decoded.message)
  return decoded.order
}

describe('one signature spends deposits of three networks on the third, without any native coin', () => {
  test.each(['raw', 'personal'] as const)('default: a %s signature spends 250 of 3 × 100', async (form) => {
    const { owner, address } = await service.createFunded(everywhere)
    const before = await service.balanceOf(output, payee)
    const solution = await service.solve({
      walletAddress: address,
      outputNetwork: output,
      amount: '250000000',
    })
    expect(solution).toMatchObject({
      status: 200,
      body: { withdrawalPlan: { amount: '100000000' }, tokenToClaim: { amount: '150000000' } },
    })
    const { body } = solution
    const build = await service.build({
      network: String(output),
      walletAddress: address,
      transactionDetails: [...callsOf(body), service.transfer(output, payee, 250_000_000n)],
      paymasterData: body.signatures.paymaster,
    })
    expect(build.status).toBe(200)
    const { paymasterAndData, verificationGasLimit } = build.body.userOp
    expect(order(paymasterAndData)).toMatchObject({
      claimAmount: 150_000_000n,
      validUntil: Number(build.body.validUntil),
      signer: { kind: 'eoa', address: owner.address },
      debits: body.debits.map(({ network, amount }: { network: number; amount: string }) => ({
        chainId: network,
        amount: BigInt(amount),
      })),
    })
    expect(order(paymasterAndData).paymasterPostOpGasLimit).toBeGreaterThanOrEqual(minimumPostOpGas)
    expect(Number(verificationGasLimit)).toBeLessThan(1_000_000)

    const submitted = await service.submit({
      walletAddress: address,
      signature: await sign[form](owner, build.body.messageToSign),
    })
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
    expect((await service.balanceOf(output, payee)) - before).toBe(250_000_000n * scale)
    expect(await service.balanceOf(output, address)).toBe(0n)
    expect(await service.depositOf(output, address)).toBe(0n)

    const row = await service.readOrder(body.orderId)
    expect(row.user_op_hash).toBe(submitted.body.userOpHash)
    expect(row.order_hash).not.toBeNull()
    expect(['SUBMITTED', 'CLAIMED', 'ATTESTED', 'SETTLED']).toContain(row.state)
    const events = await inclusionsOf(service.on(output).chain, address)
    expect(events).toHaveLength(1)
    expect(events[0]?.args.paymaster).toBe(service.on(output).smartBalance)
  })

  test('behavior: orderData builds and pays in one step', async () => {
    const { owner, address } = await service.createFunded(everywhere)
    const before = await service.balanceOf(output, payee)
    const build = await service.build({
      network: String(output),
      walletAddress: address,
      transactionDetails: [service.transfer(output, payee, 250_000_000n)],
      orderData: { amount: '250000000' },
    })
    expect(build.status).toBe(200)
    expect(build.body.userOp.initCode).not.toBe('0x')
    const calls = decodeCalls(build.body.userOp.callData)
    expect(calls.ok && calls.calls.map(({ data }) => data).slice(0, 2)).toEqual(
      callsOf(build.body.order).map(({ encodedData }) => encodedData),
    )
    expect(Date.parse(build.body.order.expiresAt)).toBe(Number(build.body.validUntil) * 1000)
    // A minute less than the contract allows: a node two blocks behind would say AA32.
    const { timestamp } = await service.on(output).chain.getBlock()
    expect(Number(build.body.validUntil)).toBeLessThanOrEqual(Number(timestamp) + maxValidity - 60)
    const submitted = await service.submit({
      walletAddress: address,
      signature: await sign.raw(owner, build.body.messageToSign),
    })
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
    expect((await service.balanceOf(output, payee)) - before).toBe(250_000_000n * scale)
  })

  test('args: AMOUNT_IN without calls leaves the whole amount in the account', {
    tags: ['all'],
  }, async () => {
    const { owner, address } = await service.createFunded([31337, 31338])
    const build = await service.build({
      network: String(output),
      walletAddress: address,
      transactionDetails: [],
      orderData: { amount: '150000000', type: 'AMOUNT_IN' },
    })
    expect(build.status).toBe(200)
    const row = await service.readOrder(build.body.order.orderId)
    expect(row.amount + row.fee).toBe(150_000_000n)
    const submitted = await service.submit({
      walletAddress: address,
      signature: await sign.raw(owner, build.body.messageToSign),
    })
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
    expect(await service.balanceOf(output, address)).toBe(row.amount * scale)
  })

  test('behavior: a passkey spends with orderData and then with the marker of a solution', async () => {
    const user = await fundedPasskey()
    const before = await service.balanceOf(output, payee)
    const first = await user.options({
      network: String(output),
      transactionDetails: [service.transfer(output, payee, 120_000_000n)],
      orderData: { amount: '120000000' },
    })
    expect(first.status).toBe(200)
    expect(first.body.allowCredentials).toMatchObject([{ id: user.passkey.id }])
    expect(order(first.body.userOp.paymasterAndData).signer).toEqual(user.signer)
    expect(await user.verify(first.body)).toMatchObject({ status: 200, body: { success: true } })

    const solution = await service.solve({
      walletAddress: user.address,
      outputNetwork: output,
      amount: '60000000',
    })
    expect(solution.status).toBe(200)
    const second = await user.options({
      network: String(output),
      transactionDetails: [...callsOf(solution.body), service.transfer(output, payee, 60_000_000n)],
      paymasterData: solution.body.signatures.paymaster,
    })
    expect(second.status).toBe(200)
    expect(await user.verify(second.body)).toMatchObject({ status: 200, body: { success: true } })
    expect((await service.balanceOf(output, payee)) - before).toBe(180_000_000n * scale)
  })

  test("behavior: an order covered by the account's own deposit has no debits and no claim", {
    tags: ['all'],
  }, async () => {
    const { owner, address } = await service.createFunded([output])
    const before = await service.balanceOf(output, payee)
    const build = await service.build({
      network: String(output),
      walletAddress: address,
      transactionDetails: [service.transfer(output, payee, 40_000_000n)],
      orderData: { amount: '40000000' },
    })
    expect(build).toMatchObject({
      status: 200,
      body: { order: { debits: [], transactions: { claim: { encodedData: '0x' } } } },
    })
    expect(isSponsorship(order(build.body.userOp.paymasterAndData))).toBe(true)
    const submitted = await service.submit({
      walletAddress: address,
      signature: await sign.raw(owner, build.body.messageToSign),
    })
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
    expect((await service.balanceOf(output, payee)) - before).toBe(40_000_000n * scale)
    expect(await service.depositOf(output, address)).toBe(60_000_000n - BigInt(build.body.order.fee))
  })

  test('behavior: an order that borrows only its fee calls a claim of 0', { tags: ['all'] }, async () => {
    const { owner, address, signer } = await service.createFunded([output], 40_000_000n)
    await service.deposit(31337, address, 100_000_000n, signer)
    const build = await service.build({
      network: String(output),
      walletAddress: address,
      transactionDetails: [service.transfer(output, payee, 40_000_000n)],
      orderData: { amount: '40000000' },
    })
    expect(build).toMatchObject({
      status: 200,
      body: { order: { tokenToClaim: { amount: '0' }, debits: [{ network: 31337 }] } },
    })
    expect(build.body.order.transactions.claim.encodedData).not.toBe('0x')
    const submitted = await service.submit({
      walletAddress: address,
      signature: await sign.raw(owner, build.body.messageToSign),
    })
    expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  })
})
