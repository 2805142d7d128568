import { epochsAbi, epochsAddress, smartBalanceAbi } from '@lanyard/onchain'
import { exitDelay, pinned, signerRemovalDelay } from '@lanyard/smart-balance'
import { randomPrivateKey } from '@lanyard/testing'
import { decodeFunctionData, erc20Abi, getAddress, type Hex, pad } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'
import { consentOf } from '../owner-consent.ts'

const [first, second] = [31337, 31339] as const

let service: OrderService
beforeAll(async () => {
  service = await startOrderService({ production: true, chainIds: [first, second] })
})
afterAll(() => service[Symbol.asyncDispose]())

const deposit = (body: object) => service.rest.post('/v3/smartbalance/deposit', body)
const exit = (body: object) => service.rest.post('/v3/smartbalance/exit', body)

/** Builds, signs and submits the calls of an answer. */
async function send(
  network: number,
  wallet: Awaited<ReturnType<OrderService['createWallet']>>,
  details: unknown,
) {
  const { body: built } = await service.build({
    network: String(network),
    walletAddress: wallet.address,
    transactionDetails: details,
  })
  expect(built).not.toHaveProperty('code')
  const { body } = await service.submit({
    walletAddress: wallet.address,
    signature: await sign.personal(wallet.owner, built.messageToSign),
  })
  expect(body).toMatchObject({ success: true })
  await service.finalize(network)
}

async function createWalletWithTokens(network: number, amount: bigint) {
  const wallet = await service.createWallet()
  await service.mint(network, wallet.address, amount)
  await service.on(network).chain.setBalance({ address: wallet.address, value: 10n ** 18n })
  return wallet
}

describe('deposit', () => {
  test.each([first, second])('default: the calls deposit and pin on network %i', async (network) => {
    const wallet = await createWalletWithTokens(network, 12_000_000n)
    const request = { walletAddress: wallet.address, network, amount: '5000000' }
    const { status, body } = await deposit(request)
    expect(status).toBe(200)
    expect(body.transactions).toHaveLength(3)
    await send(network, wallet, body.transactions)
    expect(await service.depositOf(network, wallet.address)).toBe(5_000_000n)
    const { body: balance } = await service.rest.get(
      `/v3/smartbalance/getbalance?walletAddress=${wallet.address}`,
    )
    expect(balance.netBalance).toBe('5000000')

    const { body: again } = await deposit(request)
    const functions = again.transactions.map(
      ({ encodedData }: { encodedData: Hex }) =>
        decodeFunctionData({ abi: [...erc20Abi, ...smartBalanceAbi], data: encodedData }).functionName,
    )
    expect(functions).toEqual(['approve', 'deposit'])
  })

  test('error: INSUFFICIENT_FUNDS with the missing amount', async () => {
    const wallet = await createWalletWithTokens(second, 4_000_000n)
    const request = { walletAddress: wallet.address, network: second, amount: '4000001' }
    const { status, body } = await deposit(request)
    expect({ status, code: body.code, missing: body.missing }).toEqual({
      status: 400,
      code: 'INSUFFICIENT_FUNDS',
      missing: '1',
    })
    expect((await deposit({ ...request, amount: '4000000' })).status).toBe(200)
  })

  test.each(['0', String(2n ** 128n)])('error: AMOUNT_REFUSED for %s', async (amount) => {
    const { address } = await service.createWallet()
    const { status, body } = await deposit({ walletAddress: address, network: first, amount })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'AMOUNT_REFUSED' })
  })

  test('error: UNKNOWN_WALLET and UNKNOWN_NETWORK', async () => {
    const { address } = await service.createWallet()
    expect((await deposit({ walletAddress: payee, network: first, amount: '1' })).body.code).toBe(
      'UNKNOWN_WALLET',
    )
    expect((await deposit({ walletAddress: address, network: 5, amount: '1' })).body.code).toBe(
      'UNKNOWN_NETWORK',
    )
  })
})

describe('exit', () => {
  test('default: an exit can be requested, cancelled, requested in part and finalized to another address', async () => {
    const wallet = await service.createFunded([first], 90_000_000n)
    await service.on(first).chain.setBalance({ address: wallet.address, value: 10n ** 18n })
    const request = { walletAddress: wallet.address, network: first }
    const rejected = async (action: string) => {
      const { status, body } = await exit({ ...request, action })
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'EXIT_REFUSED' })
      return body
    }
    await rejected('cancel')
    await rejected('finalize')

    const { body: all } = await exit({ ...request, action: 'request' })
    expect(decode(all.transactions)).toEqual([{ functionName: 'requestExit', args: [90_000_000n] }])
    await send(first, wallet, all.transactions)
    expect(await rejected('finalize')).toHaveProperty('exitReadyAt')
    await send(first, wallet, (await exit({ ...request, action: 'cancel' })).body.transactions)
    await rejected('cancel')

    const part = await exit({ ...request, action: 'request', amount: '30000000' })
    await send(first, wallet, part.body.transactions)
    await service.on(first).chain.increaseTime({ seconds: exitDelay })
    await service.finalize(first)
    const { body: last } = await exit({ ...request, action: 'finalize', to: payee })
    expect(decode(last.transactions)).toEqual([{ functionName: 'finalizeExit', args: [getAddress(payee)] }])
    const before = await service.balanceOf(first, payee)
    await send(first, wallet, last.transactions)
    expect((await service.balanceOf(first, payee)) - before).toBe(30_000_000n)
    expect(await service.depositOf(first, wallet.address)).toBe(60_000_000n)
  })

  test('error: INSUFFICIENT_FUNDS above the balance, AMOUNT_REFUSED for an amount of 0', async () => {
    const { address } = await service.createFunded([second], 10n)
    const request = { walletAddress: address, network: second, action: 'request' }
    expect((await exit({ ...request, amount: '11' })).body).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      missing: '1',
    })
    expect((await exit({ ...request, amount: '0' })).body.code).toBe('AMOUNT_REFUSED')
    expect((await exit({ ...request, network: first })).body.code).toBe('AMOUNT_REFUSED')
    expect((await exit({ ...request, action: 'later' })).body.code).toBe('INVALID_INPUT')
  })
})

describe('owners', () => {
  test('behavior: adding an owner also pins it, and removing it also unpins it and ends all sessions', async () => {
    const wallet = await service.createWallet()
    await service.on(first).chain.setBalance({ address: wallet.address, value: 10n ** 18n })
    const added = privateKeyToAccount(randomPrivateKey())
    const ownerAddress = added.address
    const ownerSignature = await consentOf(added, wallet.address)
    const plan = async (verb: 'add' | 'remove') => {
      const { body } = await service.rest.post(`/smart-account/owner/${verb}`, {
        walletAddress: wallet.address,
        ownerAddress,
        ...(verb === 'add' && { ownerSignature }),
      })
      return body.networks.find(({ network }: { network: number }) => network === first).transactionDetails
    }
    const { chain, smartBalance } = service.on(first)
    const pinnedUntil = async () =>
      BigInt(
        await chain.readContract({
          address: smartBalance,
          abi: smartBalanceAbi,
          functionName: 'signerUntil',
          args: [wallet.address, pad(ownerAddress)],
        }),
      )
    const sessionEpoch = () =>
      chain.readContract({
        ...{ address: epochsAddress, abi: epochsAbi, functionName: 'epochOf' },
        args: [wallet.address, 1],
      })
    await send(first, wallet, await plan('add'))
    expect(await pinnedUntil()).toBe(pinned)
    expect(await sessionEpoch()).toBe(0)

    await send(first, wallet, await plan('remove'))
    expect(await sessionEpoch()).toBe(1)
    const { timestamp } = await chain.getBlock()
    const until = await pinnedUntil()
    expect(until).toBeGreaterThan(timestamp)
    expect(until).toBeLessThanOrEqual(timestamp + BigInt(signerRemovalDelay))

    // This owner was added without a pin, so its removal must not unpin: SmartBalance would revert.
    await send(first, wallet, (await plan('add')).slice(0, 1))
    const removal = await plan('remove')
    expect(removal).toHaveLength(2)
    await send(first, wallet, removal)
  })
})

const decode = (transactions: readonly { encodedData: Hex }[]) =>
  transactions.map(({ encodedData }) => decodeFunctionData({ abi: smartBalanceAbi, data: encodedData }))
