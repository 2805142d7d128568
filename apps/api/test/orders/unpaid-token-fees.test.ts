/** @module-tag all */

import {
  encodeSignature,
  fromWireUserOperation,
  packUserOperation,
  type SignedUserOperation,
} from '@lanyard/accounts'
import { toOperation } from '@lanyard/bundler'
import { readUnpaidExposure } from '@lanyard/database'
import { devRoles, localTransport, settlementTokenAddress } from '@lanyard/devnet'
import { devTokenAbi, predictTokenPaymasterAddress } from '@lanyard/onchain'
import { decodeTokenFee, maximumTokenFee } from '@lanyard/smart-balance'
import { randomAddress, randomPrivateKey } from '@lanyard/testing'
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseEther,
  parseGwei,
} from 'viem'
import { entryPoint07Abi, entryPoint07Address, entryPoint08Address } from 'viem/account-abstraction'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chargeSponsorships } from '../../src/domain/gas-policies/charge-sponsorships.ts'
import { reviewSponsorships } from '../../src/domain/gas-policies/review-sponsorships.ts'
import { requireUnpaidBudget } from '../../src/domain/gas-policies/unpaid-fees.ts'
import { createDelegatedAccount } from '../eip7702/delegated-account.ts'
import { writePolicies } from '../policies-file.ts'
import { receiptOf } from '../receipt-of.ts'
import { type RestClient, restClient } from '../rest.ts'
import { type OrderService, payee, startOrderService } from './order-service.ts'

/*
 * Accounts without ether pay for their gas in a token, on a chain that is not declared local, in a market with tips. For each
 * way not to pay: what the operator loses.
 */

const chainId = 31337
const secret = 'a-secret-of-32-characters-xxxxxx'
const tip = parseGwei('0.5')
const baseFee = parseGwei('1')
const token = settlementTokenAddress
const nothing = { targetContractAddress: payee, value: '0', encodedData: '0x' as Hex }
/** 2,500 tokens of six decimals for 1 ether (packages/devnet), and the policy's markup of 5 %. */
const rate = 2_625_000_000n

const limit = parseEther('0.003')

let service: OrderService
let rest: RestClient
const market = privateKeyToAccount(randomPrivateKey())
let relayer: Address

const startAs = async (more: { readonly price?: object; readonly unpaidGasPerHour?: string } = {}) => {
  const [relayerKey, operatorKey] = [randomPrivateKey(), randomPrivateKey()]
  const { price, ...settings } = more
  const started = await startOrderService({
    chainIds: [chainId],
    local: false,
    settings: {
      oneLyingRpcMayTakeLiquidity: true,
      accountKinds: ['safe', 'eip7702'],
      ...settings,
    },
    environment: {
      API_KEYS: `server:${secret}`,
      RELAYER_PRIVATE_KEYS: relayerKey,
      OPERATOR_PRIVATE_KEY: operatorKey,
      ROLES: 'api',
      POLICIES_FILE: writePolicies(
        {
          id: 'tokens',
          charge: { token: 'USDC', markup: 5, ...(price && { price }) },
          budgets: { day: { wei: String(parseEther('1')) }, caller: { day: { operations: 200 } } },
        },
        { id: 'free', budgets: { day: { wei: String(parseEther('1')) } } },
      ),
    },
  })
  const { chain, smartBalance } = started.on(chainId)
  const data = encodeFunctionData({
    abi: parseAbi(['function setOperator(address,bool)']),
    functionName: 'setOperator',
    args: [privateKeyToAccount(operatorKey).address, true],
  })
  await started.callAs(chainId, devRoles.owner.address, smartBalance, data)
  await chain.setBalance({ address: market.address, value: parseEther('10') })
  await chain.setBalance({ address: privateKeyToAccount(relayerKey).address, value: parseEther('10') })
  await chain.setAutomine(true)
  relayer = privateKeyToAccount(relayerKey).address
  return started
}

beforeAll(async () => {
  service = await startAs({ unpaidGasPerHour: String(limit) })
  rest = restClient(service.service.url, { 'x-api-key': secret })
})
beforeEach(() => settleFees(service))
afterAll(() => service?.[Symbol.asyncDispose]())

/** A market: a base fee, and the tip that all pay. */
async function settleFees(on: OrderService) {
  const { chain, rpcUrl } = on.on(chainId)
  const payer = createWalletClient({ account: market, transport: localTransport(rpcUrl) })
  for (let block = 0; block < 6; block++) {
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
    const fees = { maxFeePerGas: 2n * baseFee, maxPriorityFeePerGas: tip }
    await receiptOf(chain, await payer.sendTransaction({ chain: null, to: market.address, ...fees }))
  }
}

const mint = (on: OrderService, to: Address, amount: bigint) =>
  on.callAs(
    chainId,
    devRoles.owner.address,
    token,
    encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args: [to, amount] }),
  )

const balanceOf = (address: Address): Promise<bigint> =>
  service
    .on(chainId)
    .chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] })

const paymasterFor = (entryPoint: Address) =>
  predictTokenPaymasterAddress({ entryPoint, smartBalance: service.on(chainId).smartBalance })

const depositOf = (entryPoint: Address) =>
  service.on(chainId).chain.readContract({
    address: entryPoint,
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [paymasterFor(entryPoint)],
  })

const build = (address: Address, more: object = {}) =>
  rest.post('/smart-account/transaction/build', {
    ...{ network: String(chainId), walletAddress: address, feeToken: token },
    ...{ transactionDetails: [nothing], ...more },
  })

const submit = async (owner: PrivateKeyAccount, address: Address, messageToSign: Hex) =>
  rest.post('/smart-account/transaction/submit', {
    walletAddress: address,
    signature: await owner.signMessage({ message: { raw: messageToSign } }),
  })

interface Balances {
  /** Base units that the account has less. */
  readonly paid: bigint
  /** wei that the operator has less: deposit and relayer. */
  readonly cost: bigint
}

async function paysFor(entryPoint: Address, address: Address, act: () => Promise<void>): Promise<Balances> {
  const read = async () => {
    const ether = await service.on(chainId).chain.getBalance({ address: relayer })
    return [await balanceOf(address), (await depositOf(entryPoint)) + ether] as const
  }
  const before = await read()
  await act()
  const after = await read()
  return { paid: before[0] - after[0], cost: before[1] - after[1] }
}

/** What the tokens are worth at the price without markup, wei. */
const worth = (amount: bigint) => (amount * 10n ** 18n) / 2_500_000_000n

/** The operator loses nothing, and the account pays at most a fifth more than the gas, with the markup of 5 %. */
function expectFair({ paid, cost }: Balances) {
  const price = (worth(paid) * 100n) / 105n
  expect(price).toBeGreaterThanOrEqual(cost)
  expect(price).toBeLessThan((cost * 115n) / 100n)
}

const sponsorshipOf = (userOpHash: string) =>
  service.database.db
    .selectFrom('sponsorships')
    .selectAll()
    .where('user_op_hash', '=', userOpHash)
    .executeTakeFirstOrThrow()

/** Takes the account's tokens away, as a transfer that its owner sends elsewhere. */
async function drain(address: Address) {
  const data = encodeFunctionData({
    ...{ abi: erc20Abi, functionName: 'transfer' },
    args: [payee, await balanceOf(address)],
  })
  await service.callAs(chainId, address, token, data)
}

/** A build with its owner's signature, as its owner can send it to EntryPoint. */
async function signedOperation(owner: PrivateKeyAccount, messageToSign: Hex) {
  const row = await service.database.db
    .selectFrom('operations')
    .selectAll()
    .where('safe_op_hash', '=', messageToSign)
    .executeTakeFirstOrThrow()
  const { valid_after: validAfter, valid_until: validUntil } = row
  const signatures = await owner.sign({ hash: messageToSign })
  const signature = encodeSignature({ validAfter, validUntil, signatures })
  return { ...toOperation(row), signature, hash: row.user_op_hash }
}

/** Brings an operation to EntryPoint with the least tip. @returns what the sender gains, wei */
async function sendAsAttacker(operation: SignedUserOperation): Promise<bigint> {
  const { chain, rpcUrl } = service.on(chainId)
  const wallet = createWalletClient({ account: market, transport: localTransport(rpcUrl) })
  const before = await chain.getBalance({ address: market.address })
  await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
  const hash = await wallet.writeContract({
    ...{ chain: null, address: entryPoint07Address, abi: entryPoint07Abi, functionName: 'handleOps' },
    args: [[packUserOperation(operation)], market.address],
    ...{ gas: 3_000_000n, maxFeePerGas: baseFee + 1_000_000n, maxPriorityFeePerGas: 1_000_000n },
  })
  expect((await receiptOf(chain, hash)).status).toBe('success')
  return (await chain.getBalance({ address: market.address })) - before
}

const review = () => {
  const { services } = service.service
  return reviewSponsorships(
    { ...services, policies: services.project.policies.list },
    services.networks.get(chainId),
    { readUntil: undefined },
  )
}


/** @returns accounts with tokens, each with a build, whose owner has signed and taken the tokens away */
async function buildsToDrain(count: number) {
  const builds: { readonly address: Address; readonly signed: Awaited<ReturnType<typeof signedOperation>> }[] = []
  for (let index = 0; index < count; index++) {
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const built = await build(address)
    if (built.status === 200)
      builds.push({ address, signed: await signedOperation(owner, built.body.messageToSign) })
    else
      expect(built.body).toMatchObject({ code: 'PAYMASTER_REFUSED', refusal: 'token_fee' })
  }
  return builds
}

describe('more than one operation without a payment', () => {
  test('builds that are not submitted, of eight new accounts of one key', async () => {
    const builds = await buildsToDrain(8)
    let lost = 0n
    for (const { address, signed } of builds) {
      await drain(address)
      const { cost } = await paysFor(entryPoint07Address, address, async () => {
        await sendAsAttacker(signed)
      })
      lost += cost
    }
    const [{ reserved = 0n } = {}] = await service.database.db.selectFrom('sponsorships').select(({ fn }) => fn.sum<string>('reserved').as('reserved')).execute() as any
    console.log('ATTACK unsent', reserved, builds.length, lost, 'limit', limit)
    await review()
    expect(lost).toBeLessThanOrEqual(limit)
    await service.database.db.deleteFrom('sponsorship_suspensions').execute()
    await service.database.db.deleteFrom('sponsorships').execute()
  })

  test('an account that has paid once, in many lanes', async () => {
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const first = await build(address)
    expect(await submit(owner, address, first.body.messageToSign)).toMatchObject({ body: { success: true } })
    await review()
    const signed = []
    for (let index = 0; index < 10; index++) {
      const built = await build(address)
      if (built.status !== 200) {
        console.log('refused', index, built.body)
        continue
      }
      signed.push(await signedOperation(owner, built.body.messageToSign))
    }
    await drain(address)
    let lost = 0n
    const sent = []
    for (const one of signed) {
      const { cost } = await paysFor(entryPoint07Address, address, async () => {
        await sendAsAttacker(one).then(() => sent.push(one), (e) => console.log('not sent', e.message.slice(0, 200)))
      })
      lost += cost
    }
    console.log('ATTACK lanes', signed.length, sent.length, lost, 'limit', limit)
    await review()
    expect(lost).toBeLessThanOrEqual(limit)
  })

  test('an account that pays goes on while others did not pay', async () => {
    await service.database.db.deleteFrom('sponsorship_suspensions').execute()
    await service.database.db.deleteFrom('sponsorships').execute()
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const first = await build(address)
    expect(await submit(owner, address, first.body.messageToSign)).toMatchObject({ body: { success: true } })
    await review()
    for (let index = 0; index < 8; index++) {
      const [one] = await buildsToDrain(1)
      if (!one) break
      await drain(one.address)
      await sendAsAttacker(one.signed)
      await review()
      await service.database.db.deleteFrom('sponsorship_suspensions').execute()
    }
    const again = await build(address)
    console.log('ATTACK lockout', again.status, again.body.message)
    expect(again.status).toBe(200)
    expect(await submit(owner, address, again.body.messageToSign)).toMatchObject({ body: { success: true } })
  })
})
