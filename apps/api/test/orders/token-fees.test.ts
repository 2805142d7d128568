/** @module-tag all */

import {
  type Call,
  defaultVerifiers,
  encodeCalls,
  encodeSignature,
  fromWireUserOperation,
  packUserOperation,
  type SignedUserOperation,
  safeOperationTypedData,
  stubSignature,
} from '@lanyard/accounts'
import { toOperation } from '@lanyard/bundler'
import { readUnpaidExposure } from '@lanyard/database'
import { devRoles, localTransport, settlementTokenAddress } from '@lanyard/devnet'
import { devTokenAbi, predictTokenPaymasterAddress } from '@lanyard/onchain'
import { decodeTokenFee, encodeTokenFeeApproval, maximumTokenFee } from '@lanyard/smart-balance'
import { randomAddress, randomPrivateKey } from '@lanyard/testing'
import { createSmartAccountClient } from 'permissionless'
import { toSafeSmartAccount } from 'permissionless/accounts'
import { createPimlicoClient } from 'permissionless/clients/pimlico'
import { prepareUserOperationForErc20Paymaster } from 'permissionless/experimental/pimlico'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  parseEther,
  parseGwei,
  toHex,
} from 'viem'
import { entryPoint07Abi, entryPoint07Address, entryPoint08Address } from 'viem/account-abstraction'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chargeSponsorships } from '../../src/domain/gas-policies/charge-sponsorships.ts'
import { reviewSponsorships } from '../../src/domain/gas-policies/review-sponsorships.ts'
import { requireUnpaidBudget } from '../../src/domain/gas-policies/unpaid-fees.ts'
import { needsReset } from '../../src/domain/smart-balance/orders/token-fee.ts'
import { addTokenPaymasterGauge } from '../../src/domain/smart-balance/orders/token-paymaster-gauge.ts'
import type { GaugeSource } from '../../src/platform/metrics/metrics.ts'
import { parseOperation, toSigned } from '../../src/transport/rpc/user-operation.ts'
import { createDelegatedAccount } from '../eip7702/delegated-account.ts'
import { writePolicies } from '../policies-file.ts'
import { feedCode } from '../price-feed.ts'
import { receiptOf } from '../receipt-of.ts'
import { type RestClient, restClient } from '../rest.ts'
import { callRpc } from '../rpc/rpc-client.ts'
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

let service: OrderService
let rest: RestClient
const market = privateKeyToAccount(randomPrivateKey())
let relayer: Address

/** wei, of an operator who wants to lose less than the default. */
const limit = parseEther('0.003')

const startAs = async (more: { readonly price?: object; readonly nativePrice?: object } = {}) => {
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
  service = await startAs()
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

describe('feeToken', () => {
  test('default: an account with tokens and no ether sends its first operation with one signature', async () => {
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const built = await build(address)
    expect(built).toMatchObject({
      status: 200,
      body: { tokenFee: { token, symbol: 'USDC', decimals: 6, rate: String(rate) } },
    })
    const { userOp, tokenFee, messageToSign } = built.body
    const decoded = decodeTokenFee(userOp.paymasterAndData)
    const read = fromWireUserOperation(userOp)
    if (!decoded.ok || !read.ok) throw new Error('unreadable')
    expect(maximumTokenFee(read.operation, decoded.fee)).toBe(BigInt(tokenFee.maximum))
    const first = await paysFor(entryPoint07Address, address, async () => {
      expect(await submit(owner, address, messageToSign)).toMatchObject({ body: { success: true } })
    })
    expect(first.paid).toBeLessThanOrEqual(BigInt(tokenFee.maximum))
    expectFair(first)
    const [entry] = (await rest.get(`/wallet/activity?walletAddress=${address}`)).body.activity
    const feePaid = { token, amount: String(first.paid) }
    expect(entry).toMatchObject({ feePaid })
    const status = await rest.get(`/smart-account/transaction/status?userOpHash=${entry.userOpHash}`)
    expect(status.body).toMatchObject({ feePaid })

    // Again, over the allowance that remains.
    const again = await build(address)
    const second = await paysFor(entryPoint07Address, address, async () => {
      expect(await submit(owner, address, again.body.messageToSign)).toMatchObject({
        body: { success: true },
      })
    })
    expectFair(second)
    const allowance = await service.on(chainId).chain.readContract({
      ...{ address: token, abi: erc20Abi, functionName: 'allowance' },
      args: [address, paymasterFor(entryPoint07Address)],
    })
    expect(allowance).toBe(BigInt(again.body.tokenFee.maximum) - second.paid)
  })

  test('default: an EOA that is the account pays by EntryPoint v0.8', async () => {
    const key = privateKeyToAccount(randomPrivateKey())
    const delegated = await createDelegatedAccount(rest, service.on(chainId).rpcUrl, key)
    await service.on(chainId).chain.setBalance({ address: key.address, value: 0n })
    await mint(service, key.address, 100_000_000n)
    const built = await delegated.build({ feeToken: token, transactionDetails: [nothing] })
    expect(built).toMatchObject({ status: 200, body: { tokenFee: { token } } })
    const paid = await paysFor(entryPoint08Address, key.address, async () => {
      const signed = await delegated.sign(built.body)
      expect(await delegated.submit(signed)).toMatchObject({ status: 200, body: { success: true } })
    })
    expectFair(paid)
  })

  test('behavior: gas-fees names the most in both currencies, GET /gas/tokens the rates', async () => {
    const { address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const fees = await rest.post('/smart-account/transaction/gas-fees', {
      ...{ network: String(chainId), walletAddress: address, transactionDetails: [nothing], feeToken: token },
    })
    expect(fees).toMatchObject({ status: 200, body: { tokenFee: { token, rate: String(rate) } } })
    const offered = { network: chainId, policy: 'tokens', token, symbol: 'USDC', decimals: 6 }
    expect((await rest.get('/gas/tokens')).body).toEqual({
      tokens: [{ ...offered, rate: String(rate), markup: 5, source: 'fixed' }],
    })
  })

  test('behavior: a gauge shows the deposit of each TokenPaymaster, where a policy takes tokens', async () => {
    const { services } = service.service
    const gauges: GaugeSource[] = []
    let policies = services.project.policies.list
    addTokenPaymasterGauge(
      { networks: services.networks, metrics: { addGauge: (gauge) => void gauges.push(gauge) } },
      () => policies,
    )
    const [gauge] = gauges
    expect(await gauge?.read()).toEqual([
      {
        labels: { network: chainId, entry_point: 'v0.7' },
        value: Number(await depositOf(entryPoint07Address)),
      },
      {
        labels: { network: chainId, entry_point: 'v0.8' },
        value: Number(await depositOf(entryPoint08Address)),
      },
    ])
    policies = policies.filter(({ id }) => id !== 'tokens')
    expect(await gauge?.read()).toEqual([])
  })

  test('behavior: without feeToken, the charge does not apply, and the next policy pays', async () => {
    const { address } = await service.createWallet(rest)
    const built = await build(address, { feeToken: undefined, paymasterData: 'sponsored' })
    expect(built.status).toBe(200)
    expect(decodeTokenFee(built.body.userOp.paymasterAndData).ok).toBe(false)
  })

  test('behavior: by ERC-7677, with a client that approves itself', async () => {
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const url = `${service.service.url}/rpc/${chainId}`
    const rpc = async (method: string, params: readonly unknown[]) => {
      const { result, error } = await callRpc(url, method, params, { 'x-api-key': secret })
      if (error) throw new Error(JSON.stringify(error))
      return result
    }
    // Deploys the account, so that the client needs no init code.
    const first = await build(address)
    expect(await submit(owner, address, first.body.messageToSign)).toMatchObject({ body: { success: true } })

    const fees = await service.service.services.networks.get(chainId).fees()
    const approval = (maximum: bigint): Call[] => [
      ...encodeTokenFeeApproval({
        ...{ token, maximum, resetFirst: false },
        paymaster: paymasterFor(entryPoint07Address),
      }),
      { to: payee, value: 0n, data: '0x' },
    ]
    const context = [entryPoint07Address, numberToHex(chainId), { token }] as const
    const draft = {
      ...{ sender: address, nonce: numberToHex(5n << 64n), callData: encodeCalls(approval(10_000_000n)) },
      maxFeePerGas: numberToHex(fees.maxFeePerGas),
      maxPriorityFeePerGas: numberToHex(fees.minTip),
      signature: stubSignature({ kind: 'eoa' }),
    }
    const { sponsor: _, isFinal: __, ...stub } = await rpc('pm_getPaymasterStubData', [draft, ...context])
    expect(stub.paymasterPostOpGasLimit).toBeUndefined()
    const gas = await rpc('eth_estimateUserOperationGas', [{ ...draft, ...stub }, entryPoint07Address])
    const unsigned = { ...draft, ...stub, ...gas }
    const paid = await rpc('pm_getPaymasterData', [unsigned, ...context])
    const whole = { ...unsigned, ...paid, signature: '0x' }
    const { signature: ___, ...operation } = toSigned(parseOperation(whole), entryPoint07Address)
    const validity = { validAfter: 0, validUntil: 0 }
    const signatures = await owner.signTypedData(safeOperationTypedData(operation, { chainId, ...validity }))
    const signature = encodeSignature({ ...validity, signatures })
    const payment = await paysFor(entryPoint07Address, address, async () => {
      const hash = await rpc('eth_sendUserOperation', [{ ...whole, signature }, entryPoint07Address])
      await expect
        .poll(() => rpc('eth_getUserOperationReceipt', [hash]), { timeout: 20_000 })
        .toMatchObject({ success: true })
    })
    expectFair(payment)

    // Calls or a postOp that run out of gas would be undone, and the operator would pay.
    for (const limit of ['paymasterPostOpGasLimit', 'callGasLimit'] as const) {
      const low = numberToHex(BigInt(gas[limit]) / 3n)
      await expect(
        rpc('pm_getPaymasterData', [
          { ...unsigned, nonce: numberToHex(7n << 64n), [limit]: low },
          ...context,
        ]),
      ).rejects.toThrow(`With a ${limit} of ${BigInt(low)}`)
    }

    // Without the approval there is nothing to take, and the operator does not sign.
    const forgetful = { ...unsigned, nonce: numberToHex(6n << 64n), callData: encodeCalls(approval(1n)) }
    await expect(rpc('pm_getPaymasterData', [forgetful, ...context])).rejects.toThrow('token_fee')
  })

  test('behavior: by permissionless, as it pays an ERC-20 paymaster of Pimlico', async () => {
    const transport = http(`${service.service.url}/rpc/${chainId}`, {
      fetchOptions: { headers: { 'x-api-key': secret } },
    })
    const entryPoint = { address: entryPoint07Address, version: '0.7' } as const
    const pimlico = createPimlicoClient({ transport, entryPoint, chain: foundry })
    const nodeClient = createPublicClient({
      chain: foundry,
      transport: localTransport(service.on(chainId).rpcUrl),
      pollingInterval: 25,
    })
    const account = await toSafeSmartAccount({
      client: nodeClient,
      owners: [privateKeyToAccount(randomPrivateKey())],
      ...{ version: '1.4.1', entryPoint, useMultiSendForSetup: false },
      safeP256VerifierAddress: toHex(defaultVerifiers, { size: 22 }),
      saltNonce: 0n,
    })
    await mint(service, account.address, 100_000_000n)
    const client = createSmartAccountClient({
      ...{ account, chain: foundry, client: nodeClient, bundlerTransport: transport, pollingInterval: 25 },
      ...{ paymaster: pimlico, paymasterContext: { token } },
      userOperation: {
        estimateFeesPerGas: async () => (await pimlico.getUserOperationGasPrice()).slow,
        prepareUserOperation: prepareUserOperationForErc20Paymaster(pimlico),
      },
    })
    for (const isFirst of [true, false]) {
      expect(await account.isDeployed()).toBe(!isFirst)
      const payment = await paysFor(entryPoint07Address, account.address, async () => {
        const hash = await client.sendTransaction({ to: payee, value: 0n, data: '0x' })
        expect(await nodeClient.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
      })
      expectFair(payment)
    }
    // It asks for quotes of its own EntryPoint.
    const later = createPimlicoClient({
      ...{ transport, chain: foundry },
      entryPoint: { address: entryPoint08Address, version: '0.8' },
    })
    expect(await later.getTokenQuotes({ tokens: [token, randomAddress()] })).toMatchObject([
      { token, paymaster: paymasterFor(entryPoint08Address), exchangeRate: rate },
    ])
  })

  test('behavior: a token that refuses to change an allowance is reset first', async () => {
    const { chain } = service.on(chainId)
    const network = service.service.services.networks.get(chainId)
    const strict = randomAddress()
    // approve: reverts if the stored amount and the new one are both above 0; otherwise it stores the new one, and returns true.
    await chain.setCode({
      address: strict,
      bytecode: '0x6024355f5415901517600f575f5ffd5b6024355f5560015f5260205ff3',
    })
    expect(await needsReset(network, strict)).toBe(true)
    expect(await needsReset(network, token)).toBe(false)
    expect(await needsReset(network, randomAddress())).toBe(false)
  })

  test('error: another token, two payers, a session key', async () => {
    const { address } = await service.createWallet(rest)
    const issues = async (more: object) => (await build(address, more)).body.issues
    expect(await issues({ feeToken: randomAddress() })).toMatchObject([
      { path: 'feeToken', message: expect.stringContaining(`USDC ${token}`) },
    ])
    expect(await issues({ paymasterData: 'sponsored' })).toMatchObject([{ path: 'feeToken' }])
    expect(await issues({ orderData: { amount: '1', type: 'AMOUNT_OUT' } })).toMatchObject([
      { path: 'feeToken' },
    ])
    expect(
      await issues({ signMode: 'SESSION_KEY', sessionKey: { kind: 'ecdsa', address: randomAddress() } }),
    ).toMatchObject([{ path: expect.stringMatching(/feeToken|sessionKey/) }])
  })
})

describe('an account that does not pay', () => {
  test('calls that spend the tokens first: refused before anything is signed, loss 0', async () => {
    const { address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const spending = service.transfer(chainId, payee, 99_900_000n)
    expect(await build(address, { transactionDetails: [spending] })).toMatchObject({
      status: 400,
      body: { code: 'PAYMASTER_REFUSED', refusal: 'token_fee', message: expect.stringContaining('USDC') },
    })
    expect(
      await build(address, { transactionDetails: [service.transfer(chainId, payee, 1n)] }),
    ).toMatchObject({
      status: 200,
    })
  })

  test('tokens that leave between build and submission: refused, loss 0', async () => {
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const built = await build(address)
    await drain(address)
    const { cost } = await paysFor(entryPoint07Address, address, async () => {
      expect(await submit(owner, address, built.body.messageToSign)).toMatchObject({
        ...{ status: 400, body: { code: 'PAYMASTER_REFUSED', refusal: 'token_fee' } },
      })
    })
    expect(cost).toBe(0n)
  })

  test('tokens that leave at the last moment: the loss is the gas of one operation, and no more is taken for an hour', async () => {
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const built = await build(address)
    const maximum = worth(BigInt(built.body.tokenFee.maximum))
    const signed = await signedOperation(owner, built.body.messageToSign)
    await drain(address)
    let gained = 0n
    const { cost, paid } = await paysFor(entryPoint07Address, address, async () => {
      gained = await sendAsAttacker(signed)
    })
    expect(paid).toBe(0n)
    expect(cost).toBeGreaterThan(0n)
    expect(cost).toBeLessThan(maximum)
    // The attacker's own transaction costs more than EntryPoint hands over.
    expect(gained).toBeLessThan(0n)
    await review()
    await mint(service, address, 100_000_000n)
    expect(await build(address)).toMatchObject({ status: 403, body: { code: 'SPONSORSHIP_SUSPENDED' } })
    const { charged } = await sponsorshipOf(signed.hash)
    expect(charged).toBeNull()
    expect((await sponsorshipOf(signed.hash)).verdict).toBe('unpaid')
    await service.database.db.deleteFrom('sponsorship_suspensions').execute()
  })

  test('a token that is paused or denies the account: refused at submission; in flight, the loss is the gas', async () => {
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const built = await build(address)
    const { chain } = service.on(chainId)
    const code = await chain.getCode({ address: token })
    if (!code) throw new Error('no token')
    const signed = await signedOperation(owner, built.body.messageToSign)
    // Each call reverts. Calls of the batch revert, too, so that nothing is approved.
    await chain.setCode({ address: token, bytecode: '0x5f5ffd' })
    const before = await depositOf(entryPoint07Address)
    try {
      expect(await submit(owner, address, built.body.messageToSign)).toMatchObject({
        ...{ status: 400, body: { code: 'PAYMASTER_REFUSED', refusal: 'token_fee' } },
      })
      await sendAsAttacker(signed)
    } finally {
      await chain.setCode({ address: token, bytecode: code })
    }
    const lost = before - (await depositOf(entryPoint07Address))
    expect(lost).toBeGreaterThan(0n)
    expect(lost).toBeLessThan(worth(BigInt(built.body.tokenFee.maximum)))
    await review()
    expect((await sponsorshipOf(signed.hash)).verdict).toBe('unpaid')
    await service.database.db.deleteFrom('sponsorship_suspensions').execute()
  })

  test('what did not pay within an hour stays within unpaidGasPerHour', async () => {
    const { services } = service.service
    const network = services.networks.get(chainId)
    const fresh = { account: randomAddress().toLowerCase(), builder: null, cost: 1n }
    const now = services.now()
    const { lost } = await readUnpaidExposure(
      service.database.db,
      { ...fresh, network: chainId },
      { since: new Date(now.getTime() - 3_600_000), now },
    )
    expect(lost).toBeGreaterThan(0n)
    const require = (unpaidGasPerHour: bigint) =>
      service.database.db
        .transaction()
        .execute((transaction) =>
          requireUnpaidBudget(
            services,
            transaction,
            { ...network.config, unpaidGasPerHour: String(unpaidGasPerHour) },
            { policy: 'tokens', taken: false, ...fresh },
          ),
        )
    await expect(require(lost)).rejects.toMatchObject({ code: 'PAYMASTER_REFUSED' })
    await expect(require(10n * lost)).resolves.toBeUndefined()
  })

  test('an operation that others send and that pays costs nothing and suspends no account', async () => {
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const built = await build(address)
    const signed = await signedOperation(owner, built.body.messageToSign)
    const { paid, cost } = await paysFor(entryPoint07Address, address, async () => {
      await sendAsAttacker(signed)
    })
    expect(worth(paid)).toBeGreaterThanOrEqual(cost)
    await review()
    expect((await sponsorshipOf(signed.hash)).verdict).toBe('fair')
    expect(await build(address)).toMatchObject({ status: 200 })
    // The budgets get it back as soon as it is final.
    const { chain } = service.on(chainId)
    await chain.increaseTime({ seconds: 700 })
    await service.finalize(chainId)
    await chargeSponsorships(
      { database: service.database.db },
      service.service.services.networks.get(chainId),
    )
    expect(await sponsorshipOf(signed.hash)).toMatchObject({ charged: 0n })
  })
})

describe('one that does it again', () => {
  beforeEach(async () => {
    await service.database.db.deleteFrom('sponsorship_suspensions').execute()
    await service.database.db.deleteFrom('sponsorships').execute()
    const { config } = service.service.services.networks.get(chainId)
    Object.assign(config, { unpaidGasPerHour: String(limit) })
  })

  test('eight accounts of one key, with builds that they bring to EntryPoint themselves', async () => {
    const builds: { readonly address: Address; readonly signed: SignedUserOperation }[] = []
    for (let index = 0; index < 8; index++) {
      const { owner, address } = await service.createWallet(rest)
      await mint(service, address, 100_000_000n)
      const built = await build(address)
      if (built.status === 200)
        builds.push({ address, signed: await signedOperation(owner, built.body.messageToSign) })
      else expect(built.body).toMatchObject({ code: 'PAYMASTER_REFUSED', refusal: 'token_fee' })
    }
    expect(builds.length).toBeLessThan(8)
    let lost = 0n
    for (const { address, signed } of builds) {
      await drain(address)
      lost += (await paysFor(entryPoint07Address, address, async () => void (await sendAsAttacker(signed))))
        .cost
    }
    expect(lost).toBeGreaterThan(0n)
    expect(lost).toBeLessThanOrEqual(limit)
    await review()
  })

  test('a build that went with its account counts as a loss, too', async () => {
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const built = await build(address)
    const signed = await signedOperation(owner, built.body.messageToSign)
    const { db } = service.database
    await db.deleteFrom('operations').where('user_op_hash', '=', built.body.userOpHash).execute()
    await drain(address)
    const { cost } = await paysFor(
      entryPoint07Address,
      address,
      async () => void (await sendAsAttacker(signed)),
    )
    expect(cost).toBeGreaterThan(0n)
    await review()
    const row = db.selectFrom('sponsorships').select('verdict').where('account', '=', address.toLowerCase())
    expect(await row.execute()).toEqual([{ verdict: 'unpaid' }])
  })

  test('an account that has paid once, in ten lanes', async () => {
    const { owner, address } = await service.createWallet(rest)
    await mint(service, address, 100_000_000n)
    const first = await build(address)
    expect(await submit(owner, address, first.body.messageToSign)).toMatchObject({ body: { success: true } })
    await review()
    const signed: SignedUserOperation[] = []
    for (let index = 0; index < 10; index++) {
      const built = await build(address)
      if (built.status === 200) signed.push(await signedOperation(owner, built.body.messageToSign))
    }
    expect(signed.length).toBeGreaterThan(0)
    expect(signed.length).toBeLessThan(10)
    await drain(address)
    const { cost } = await paysFor(entryPoint07Address, address, async () => {
      for (const one of signed) await sendAsAttacker(one)
    })
    expect(cost).toBeLessThanOrEqual(limit)
  })
})

describe('a price from a feed', () => {
  const feed = randomAddress()
  const setPrice = (dollars: bigint, updatedAt = Math.floor(Date.now() / 1000)) => {
    const round = { answer: dollars * 10n ** 8n, updatedAt, description: 'ETH / USD' }
    return service.on(chainId).chain.setCode({ address: feed, bytecode: feedCode(round) })
  }
  /** The service keeps a price for fifteen seconds. */
  const forgetPrice = () => service.advance(16_000)
  let owner: PrivateKeyAccount
  let address: Address
  beforeAll(async () => {
    await service[Symbol.asyncDispose]()
    const nativePrice = { kind: 'chainlink', feed, maximumAge: 86_400 }
    service = await startAs({ nativePrice, price: { min: '1000', max: '10000' } })
    rest = restClient(service.service.url, { 'x-api-key': secret })
    await settleFees(service)
    ;({ owner, address } = await service.createWallet(rest))
    await mint(service, address, 100_000_000n)
  })

  test('it rises by a fifth while a signature is valid: the loss is the move, less the markup', async () => {
    await setPrice(2_500n)
    const built = await build(address)
    await setPrice(3_000n)
    forgetPrice()
    const { paid, cost } = await paysFor(entryPoint07Address, address, async () => {
      expect(await submit(owner, address, built.body.messageToSign)).toMatchObject({
        body: { success: true },
      })
    })
    const received = (paid * 10n ** 18n) / 3_000_000_000n
    expect(received).toBeLessThan(cost)
    expect((cost - received) * 1_000n).toBeLessThanOrEqual(cost * 125n) // 1 - 1.05 / 1.2
    expect((await build(address)).body.tokenFee).toMatchObject({ rate: '3150000000' })
  })

  test('a source that lies, or stands still: outside of the bounds nothing is taken, nothing is signed', async () => {
    for (const dollars of [1n, 999n, 10_001n, 10n ** 12n]) {
      await setPrice(dollars)
      forgetPrice()
      expect(await build(address)).toMatchObject({
        status: 400,
        body: { code: 'PAYMASTER_REFUSED', refusal: 'token_fee', message: expect.stringContaining('price') },
      })
      expect((await rest.get('/gas/tokens')).body).toEqual({ tokens: [] })
    }
    await setPrice(2_500n, Math.floor(Date.now() / 1000) - 2 * 86_400)
    forgetPrice()
    expect(await build(address)).toMatchObject({ body: { code: 'NETWORK_FAILED' } })
    for (let count = 0; count < 5; count++)
      expect((await rest.get('/gas/tokens')).body).toEqual({ tokens: [] })
    expect(service.logged.filter(({ msg }) => msg === 'a rate cannot be read')).toHaveLength(1)
    await setPrice(2_500n)
    forgetPrice()
    expect(await build(address)).toMatchObject({ status: 200, body: { tokenFee: { rate: '2625000000' } } })
  })
})
