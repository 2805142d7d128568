/** @module-tag all */
// @promise 24 C.7

import {
  encodeSignature,
  packUserOperation,
  type SignedUserOperation,
  safeOperationTypedData,
} from '@lanyard/accounts'
import { toOperation } from '@lanyard/bundler'
import { devRoles, localTransport } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import {
  type Address,
  concat,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseEther,
  parseEventLogs,
  parseGwei,
  zeroHash,
} from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chargeSponsorships } from '../../src/domain/gas-policies/charge-sponsorships.ts'
import { reviewSponsorships } from '../../src/domain/gas-policies/review-sponsorships.ts'
import { listAuditLog } from '../../src/platform/audit/read-audit-log.ts'
import { parseOperation, toSigned } from '../../src/transport/rpc/user-operation.ts'
import { writePolicies } from '../policies-file.ts'
import { receiptOf } from '../receipt-of.ts'
import { type RestClient, restClient } from '../rest.ts'
import { callRpc } from '../rpc/rpc-client.ts'
import { type OrderService, startOrderService } from './order-service.ts'

/*
 * The attacker owns accounts that a policy pays for, asks for sponsorship in every way, and brings what the
 * operator signed to EntryPoint itself, as the beneficiary. Its contract burns gas in simulations, and none in
 * its own transaction.
 */

const chainId = 31337
const secret = 'a-secret-of-32-characters-xxxxxx'
const tip = parseGwei('0.5')
const baseFee = parseGwei('1')
const attacker = privateKeyToAccount(randomPrivateKey())

/** Burns 26 gas for each unit of the first word, unless slot 0 is set. */
const burnerOfState: Hex = '0x5f54601057 5f355b6001900380600757 5b00'.replaceAll(' ', '') as Hex
/** The same, only if `tx.origin` is the second word. */
const burnerOfOrigin: Hex = '0x3260203518601357 5f355b6001900380600a57 5b00'.replaceAll(' ', '') as Hex
const state: Address = '0x0000000000000000000000000000000000b04e01'
const origin: Address = '0x0000000000000000000000000000000000b04e02'

let service: OrderService
let rest: RestClient
let relayer: PrivateKeyAccount
beforeAll(async () => {
  const [relayerKey, operatorKey] = [randomPrivateKey(), randomPrivateKey()]
  relayer = privateKeyToAccount(relayerKey)
  service = await startOrderService({
    chainIds: [chainId],
    local: false,
    settings: { oneLyingRpcMayTakeLiquidity: true },
    environment: {
      API_KEYS: `server:${secret}`,
      RELAYER_PRIVATE_KEYS: relayerKey,
      OPERATOR_PRIVATE_KEY: operatorKey,
      ROLES: 'api',
      POLICIES_FILE: writePolicies({
        id: 'all',
        callGas: 1_000_000,
        budgets: { day: { wei: String(parseEther('1')) }, caller: { day: { operations: 200 } } },
      }),
    },
  })
  rest = restClient(service.service.url, { 'x-api-key': secret })
  const { chain, smartBalance } = service.on(chainId)
  const operator = privateKeyToAccount(operatorKey).address
  const data = encodeFunctionData({
    abi: smartBalanceAbi,
    functionName: 'setOperator',
    args: [operator, true],
  })
  await service.callAs(chainId, devRoles.owner.address, smartBalance, data)
  await chain.setBalance({ address: attacker.address, value: parseEther('10') })
  await chain.setBalance({ address: relayer.address, value: parseEther('10') })
  await chain.setCode({ address: state, bytecode: burnerOfState })
  await chain.setCode({ address: origin, bytecode: burnerOfOrigin })
  await chain.setAutomine(true) // each empty block lowers the fees
  await settleFees()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** A market: a base fee, and the tip that everybody pays. */
async function settleFees() {
  const { chain } = service.on(chainId)
  const payer = createWalletClient({
    account: attacker,
    transport: localTransport(service.on(chainId).rpcUrl),
  })
  for (let block = 0; block < 8; block++) {
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
    const fees = { maxFeePerGas: 2n * baseFee, maxPriorityFeePerGas: tip }
    await receiptOf(chain, await payer.sendTransaction({ chain: null, to: attacker.address, ...fees }))
  }
}

interface Wallet {
  readonly owner: PrivateKeyAccount
  readonly address: Address
}

const headers = { 'x-api-key': secret }
const url = () => `${service.service.url}/rpc/${chainId}`
const context = [entryPoint07Address, numberToHex(chainId), {}] as const
const burn = (units: bigint, by: Address = state) => ({
  targetContractAddress: by,
  value: '0',
  encodedData: concat([numberToHex(units, { size: 32 }), pad(relayer.address)]),
})

/** An operation as the attacker gets it, signed; undefined if the service refuses it. */
type Requested = SignedUserOperation | { readonly refusal: string }

const rowOf = (userOpHash: string) =>
  service.database.db
    .selectFrom('operations')
    .selectAll()
    .where('user_op_hash', '=', userOpHash)
    .executeTakeFirstOrThrow()

async function askByBuild({ owner, address }: Wallet, body: object): Promise<Requested & { hash?: string }> {
  const built = await rest.post('/smart-account/transaction/build', {
    ...{ network: String(chainId), walletAddress: address, paymasterData: 'sponsored' },
    ...body,
  })
  if (built.status !== 200) return { refusal: built.body.refusal ?? built.body.code }
  const row = await service.database.db
    .selectFrom('operations')
    .selectAll()
    .where('safe_op_hash', '=', built.body.messageToSign)
    .executeTakeFirstOrThrow()
  const signature = encodeSignature({
    validAfter: row.valid_after,
    validUntil: row.valid_until,
    signatures: await owner.sign({ hash: built.body.messageToSign }),
  })
  return { ...toOperation(row), signature, hash: row.user_op_hash }
}

type Limits =
  | 'callGasLimit'
  | 'verificationGasLimit'
  | 'preVerificationGas'
  | 'paymasterVerificationGasLimit'
  | 'paymasterPostOpGasLimit'
  | 'maxFeePerGas'
  | 'maxPriorityFeePerGas'

/** By ERC-7677, with gas and fees changed after the estimate. */
async function askByRpc(
  { owner, address }: Wallet,
  call: ReturnType<typeof burn>,
  change: (values: Record<Limits, bigint>) => Partial<Record<Limits, bigint>>,
): Promise<Requested> {
  // The account pays for this build, so that only what follows can refuse to sponsor it.
  const built = await askByBuild({ owner, address }, { transactionDetails: [call], paymasterData: '0x' })
  if ('refusal' in built) return built
  const fees = await service.service.services.networks.get(chainId).fees()
  const hex = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, numberToHex(value)]))
  const draft = {
    ...{ sender: address, nonce: numberToHex(built.nonce), callData: built.callData },
    ...hex({ maxFeePerGas: fees.maxFeePerGas, maxPriorityFeePerGas: fees.minTip }),
  }
  const { result: stub } = await callRpc(url(), 'pm_getPaymasterStubData', [draft, ...context], headers)
  const { sponsor: _, isFinal: __, ...paymaster } = stub
  const estimate = () =>
    callRpc(url(), 'eth_estimateUserOperationGas', [{ ...draft, ...paymaster }, entryPoint07Address], headers)
  let answer = await estimate()
  // A busy machine's node is no refusal: the attempt is made until it has one.
  while (answer.error?.data.code === 'NETWORK_UNAVAILABLE') answer = await estimate()
  const { result: gas, error } = answer
  if (error) return { refusal: error.data.refusal ?? error.data.code }
  const values = {
    callGasLimit: BigInt(gas.callGasLimit),
    verificationGasLimit: BigInt(gas.verificationGasLimit),
    preVerificationGas: BigInt(gas.preVerificationGas),
    paymasterVerificationGasLimit: BigInt(gas.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: BigInt(stub.paymasterPostOpGasLimit),
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.minTip,
  }
  const chosen = { ...draft, ...hex({ ...values, ...change(values) }) }
  const paid = await callRpc(url(), 'pm_getPaymasterData', [chosen, ...context], headers)
  if (paid.error) return { refusal: paid.error.data?.refusal ?? paid.error.data?.code ?? paid.error.message }
  const whole = { ...chosen, ...paid.result, signature: '0x' }
  const { signature: _none, ...operation } = toSigned(parseOperation(whole), entryPoint07Address)
  const validity = { validAfter: 0, validUntil: 0 }
  const signatures = await owner.signTypedData(safeOperationTypedData(operation, { chainId, ...validity }))
  return { ...operation, signature: encodeSignature({ ...validity, signatures }) }
}

/** Sends operations as a bundle. @returns what EntryPoint charged, and what the sender's balance gained, in wei */
async function bundle(sender: PrivateKeyAccount, operations: readonly SignedUserOperation[]) {
  const { chain, rpcUrl } = service.on(chainId)
  const wallet = createWalletClient({ account: sender, transport: localTransport(rpcUrl) })
  const before = await chain.getBalance({ address: sender.address })
  // Others pay the market's tip. The attacker agrees with a block's producer, and pays the least.
  const fees = await service.service.services.networks.get(chainId).fees()
  const maxPriorityFeePerGas = sender === attacker ? fees.minTip : fees.maxPriorityFeePerGas
  await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
  const hash = await wallet.writeContract({
    ...{ chain: null, address: entryPoint07Address, abi: entryPoint07Abi, functionName: 'handleOps' },
    args: [operations.map(packUserOperation), sender.address],
    ...{ gas: 16_000_000n, maxFeePerGas: baseFee + maxPriorityFeePerGas, maxPriorityFeePerGas },
  })
  const { logs, status } = await receiptOf(chain, hash)
  expect(status).toBe('success')
  // anvil takes it out of the pool a moment later. On the earlier state, it would be valid again.
  await chain.dropTransaction({ hash })
  const events = parseEventLogs({ abi: entryPoint07Abi, eventName: 'UserOperationEvent', logs })
  return {
    charged: events.reduce((sum, { args }) => sum + args.actualGasCost, 0n),
    gained: (await chain.getBalance({ address: sender.address })) - before,
  }
}

const setFlag = (value: Hex) => service.on(chainId).chain.setStorageAt({ address: state, index: 0, value })

/** Runs the bundle honestly, and then as the attacker; the chain is as before afterwards. */
async function extract(operations: readonly SignedUserOperation[]) {
  const { chain } = service.on(chainId)
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const id = await chain.snapshot()
    const result = await work()
    await chain.revert({ id })
    return result
  }
  const honest = await run(async () => {
    let sum = 0n
    for (const operation of operations) sum += (await bundle(relayer, [operation])).charged
    return sum
  })
  const { gained, charged } = await run(async () => {
    await setFlag(numberToHex(1, { size: 32 }))
    return bundle(attacker, operations)
  })
  return { honest, gained, charged }
}

test('attack: no field, in no way of asking, makes one operation worth more than 15 % of its honest cost', async () => {
  const { chain } = service.on(chainId)
  const wallets: Wallet[] = []
  for (let count = 0; count < 12; count++) wallets.push(await service.createWallet(rest))
  const [fresh, first, second, third, ...others] = wallets
  if (!fresh || !first || !second || !third) throw new TypeError('wallets')
  // All accounts but one are deployed, at their own cost.
  for (const { address, owner } of [first, second, third, ...others]) {
    await chain.setBalance({ address, value: parseEther('1') })
    const requested = await askByBuild(
      { address, owner },
      { transactionDetails: [burn(1n)], paymasterData: '0x' },
    )
    if ('refusal' in requested) throw new Error(requested.refusal)
    await bundle(relayer, [requested])
  }
  const deposited = first
  await service.deposit(chainId, first.address, 1_000_000_000n, { kind: 'eoa', address: first.owner.address })

  const found: { way: string; count: number; share: number }[] = []
  const refused: string[] = []
  const attempt = async (way: string, requested: readonly Requested[]) => {
    const operations = requested.flatMap((one) => ('refusal' in one ? [] : [one]))
    for (const one of requested) if ('refusal' in one) refused.push(`${way}: ${one.refusal}`)
    if (operations.length < requested.length) return
    const { honest, gained } = await extract(operations)
    found.push({ way, count: operations.length, share: Number((gained * 10_000n) / honest) / 100 })
  }

  for (const units of [1n, 1_000n, 10_000n, 32_000n, 60_000n])
    await attempt(`build ${units}`, [await askByBuild(first, { transactionDetails: [burn(units)] })])
  await attempt('build, undeployed', [await askByBuild(fresh, { transactionDetails: [burn(10_000n)] })])
  await attempt('build, by origin', [
    await askByBuild(first, { transactionDetails: [burn(30_000n, origin)] }),
  ])
  await attempt('rpc, by origin', [await askByRpc(second, burn(30_000n, origin), () => ({}))])
  await attempt('order, by origin', [
    await askByBuild(deposited, {
      ...{ transactionDetails: [burn(30_000n, origin)], paymasterData: undefined },
      orderData: { amount: '1000000' },
    }),
  ])
  for (const units of [1n, 10_000n, 32_000n, 60_000n]) {
    await attempt(`order ${units}`, [
      await askByBuild(deposited, {
        ...{ transactionDetails: [burn(units)], paymasterData: undefined },
        orderData: { amount: '1000000' },
      }),
    ])
  }
  let previous = await askByBuild(first, { transactionDetails: [burn(1_000n)] })
  for (let bump = 1; bump <= 4 && !('refusal' in previous); bump++) {
    const requested = await askByBuild(first, {
      ...{ transactionDetails: [burn(1_000n)], replaces: previous.hash },
    })
    await attempt(`replacement ${bump}`, [requested])
    previous = requested
  }
  const everything = (v: Record<Limits, bigint>) => ({
    callGasLimit: (v.callGasLimit * 104n) / 100n,
    preVerificationGas: (v.preVerificationGas * 104n) / 100n,
    verificationGasLimit: 2n * v.verificationGasLimit,
    maxPriorityFeePerGas: (v.maxPriorityFeePerGas * 109n) / 100n,
  })
  const changes: [string, (values: Record<Limits, bigint>) => Partial<Record<Limits, bigint>>][] = [
    ['as estimated', () => ({})],
    ...(
      ['callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'maxPriorityFeePerGas'] as const
    ).flatMap((field) =>
      [104n, 109n, 124n, 200n, 1_000n].map((percent): (typeof changes)[number] => [
        `${field} ${percent} %`,
        (values) => ({ [field]: (values[field] * percent) / 100n }),
      ]),
    ),
    [
      'both fees 290 %',
      (v) => ({
        maxFeePerGas: (v.maxFeePerGas * 29n) / 10n,
        maxPriorityFeePerGas: (v.maxPriorityFeePerGas * 29n) / 10n,
      }),
    ],
    ['paymasterPostOpGasLimit', () => ({ paymasterPostOpGasLimit: 500_000n })],
    ['paymasterVerificationGasLimit', () => ({ paymasterVerificationGasLimit: 900_000n })],
    ['everything at once', everything],
  ]
  for (const [units, wallet] of [
    [1n, second],
    [30_000n, third],
  ] as const) {
    for (const [name, change] of changes)
      await attempt(`rpc ${units}, ${name}`, [await askByRpc(wallet, burn(units), change)])
  }
  for (const units of [1n, 30_000n]) {
    const requested: Requested[] = []
    for (const wallet of others) requested.push(await askByRpc(wallet, burn(units), everything))
    await attempt(`rpc ${units}, everything, ${requested.length} operations in one transaction`, requested)
  }

  console.info(`refused:\n${refused.join('\n')}`)
  const best = found.toSorted((a, b) => b.share - a.share)
  console.info(
    `gained, in % of the honest cost:\n${best.map(({ way, share }) => `${share} ${way}`).join('\n')}`,
  )
  expect(best.length).toBeGreaterThan(10)
  expect(best.find(({ count }) => count === 1)?.share).toBeLessThanOrEqual(15)
  // The relayer bears the base cost of a transaction, so that nobody gains by sending several at once.
  expect(best[0]?.share).toBeLessThanOrEqual(15)
  expect(refused.filter((line) => line.includes('unsteady_gas')).map((line) => line.split(':')[0])).toEqual([
    'build, by origin',
    'rpc, by origin',
    'order, by origin',
  ])
  expect(refused).toEqual(expect.arrayContaining(['build 60000: call_gas', 'order 60000: call_gas']))
  // The service's own estimate and fees, with a little slack.
  const tooMuch = [
    ...['callGasLimit 109 %', 'verificationGasLimit 1000 %', 'preVerificationGas 124 %'],
    ...['maxPriorityFeePerGas 124 %', 'paymasterPostOpGasLimit', 'paymasterVerificationGasLimit'],
  ]
  expect(refused).toEqual(
    expect.arrayContaining(tooMuch.map((change) => `rpc 30000, ${change}: ${change.split(' ')[0]}`)),
  )
})

test('behavior: an account whose operation others send is suspended, and its cost is taken at once', async () => {
  const network = service.service.services.networks.get(chainId)
  const wallet = await service.createWallet(rest)
  const requested = await askByBuild(wallet, { transactionDetails: [burn(30_000n)] })
  const kept = await askByBuild(wallet, { transactionDetails: [burn(1n)] })
  if ('refusal' in requested || 'refusal' in kept) throw new Error('refused')
  await setFlag(numberToHex(1, { size: 32 }))
  const { charged } = await bundle(attacker, [requested])
  await setFlag(zeroHash)
  const policies = service.service.services.project.policies.list
  await reviewSponsorships({ ...service.service.services, policies }, network, { readUntil: undefined })
  const rowOfHash = await service.database.db
    .selectFrom('sponsorships')
    .selectAll()
    .where('user_op_hash', '=', requested.hash ?? '')
    .executeTakeFirstOrThrow()
  expect(rowOfHash).toMatchObject({ taken: true, verdict: 'foreign', charged: null })
  expect(rowOfHash.reserved).toBeGreaterThanOrEqual(charged)

  const again = await rest.post('/smart-account/transaction/build', {
    ...{ network: String(chainId), walletAddress: wallet.address, paymasterData: 'sponsored' },
    transactionDetails: [burn(1n)],
  })
  expect(again).toMatchObject({
    status: 403,
    body: {
      code: 'SPONSORSHIP_SUSPENDED',
      message: expect.stringContaining('was sent to the entry point by others'),
      userOpHash: requested.hash,
    },
  })
  // What was built before cannot be submitted either.
  const row = await rowOf(kept.hash ?? '')
  const submitted = await rest.post('/smart-account/transaction/submit', {
    walletAddress: wallet.address,
    signature: await wallet.owner.sign({ hash: row.safe_op_hash as Hex }),
  })
  expect(submitted).toMatchObject({ status: 403, body: { code: 'SPONSORSHIP_SUSPENDED' } })
  expect(service.logged).toContainEqual(
    expect.objectContaining({ verdict: 'foreign', userOpHash: requested.hash }),
  )
  const audited = await listAuditLog(service.database.db, { act: 'sponsorship.suspend', limit: 10 })
  expect(audited).toContainEqual(
    expect.objectContaining({
      ...{ actor: 'service:worker', subject: `account:${wallet.address.toLowerCase()}` },
      after: expect.objectContaining({
        userOpHash: requested.hash,
        reason: expect.stringContaining('by others'),
      }),
    }),
  )
})

/** Brings the operation to EntryPoint, and records that a transaction of our relayer carried it. */
async function include(hash: string, operation: SignedUserOperation, by: PrivateKeyAccount) {
  const { chain } = service.on(chainId)
  const from = await chain.getBlockNumber()
  await bundle(by, [operation])
  const [event] = await chain.getContractEvents({
    ...{ address: entryPoint07Address, abi: entryPoint07Abi, eventName: 'UserOperationEvent' },
    ...{ fromBlock: from + 1n, args: { userOpHash: hash as Hex } },
  })
  // Others read our transaction in the pool: theirs has another hash.
  const txn_hash = by === relayer ? (event?.transactionHash ?? '0x') : keccak256(hash as Hex)
  await service.database.db
    .insertInto('relayer_transactions')
    .values({
      ...{ txn_hash, network: chainId, relayer: relayer.address.toLowerCase(), nonce: 0, raw: '0x' },
      ...{ gas_limit: 1n, max_fee_per_gas: 1n, max_priority_fee_per_gas: 1n, state: 'lost' },
      ...{ created_at: new Date(), sent_at: null },
    })
    .execute()
  await service.database.db
    .insertInto('relayer_transaction_operations')
    .values({ txn_hash, user_op_hash: hash, position: 0 })
    .execute()
}

test.each([
  ['raced', () => attacker, undefined],
  ['idle', () => relayer, 'used less than half of the gas that they claimed to need'],
  ['fair', () => relayer, undefined],
] as const)(
  'behavior: of three operations that are %s in a day, the third suspends only for idle ones',
  async (verdict, by, reason) => {
    const { services } = service.service
    const network = services.networks.get(chainId)
    const wallet = await service.createWallet(rest)
    // Deployed at its own cost: a deployment would hide that the calls use little.
    await service.on(chainId).chain.setBalance({ address: wallet.address, value: parseEther('1') })
    const first = await askByBuild(wallet, { transactionDetails: [burn(1n)], paymasterData: '0x' })
    if ('refusal' in first) throw new Error(first.refusal)
    await bundle(relayer, [first])
    const hashes: string[] = []
    const judged: string[] = []
    for (let count = 1; count <= 3; count++) {
      const requested = await askByBuild(wallet, { transactionDetails: [burn(10_000n)] })
      if ('refusal' in requested) throw new Error(requested.refusal)
      if (verdict === 'idle') await setFlag(numberToHex(1, { size: 32 }))
      const { hash = '', ...operation } = requested
      await include(hash, operation, by())
      await setFlag(zeroHash)
      hashes.push(hash)
      await reviewSponsorships({ ...services, policies: services.project.policies.list }, network, {
        readUntil: undefined,
      })
      const rows = await service.database.db
        .selectFrom('sponsorships')
        .select('verdict')
        .where('user_op_hash', 'in', hashes)
        .execute()
      judged.push(rows.map((row) => row.verdict).join())
      const suspended = await service.database.db
        .selectFrom('sponsorship_suspensions')
        .selectAll()
        .where('subject', '=', `account:${wallet.address.toLowerCase()}`)
        .execute()
      expect(suspended.map((row) => row.reason)).toEqual(
        reason && count === 3 ? [`3 sponsored operations within a day ${reason}, the last one ${hash}.`] : [],
      )
    }
    expect(judged).toEqual([1, 2, 3].map((count) => Array(count).fill(verdict).join()))
    const again = await askByBuild(wallet, { transactionDetails: [burn(1n)] })
    expect('refusal' in again && again.refusal).toBe(reason ? 'SPONSORSHIP_SUSPENDED' : false)
    if (!reason) return
    await services.metrics.text() // what was counted before the first reading shows in the second
    expect(await services.metrics.text()).toContain(
      `lanyard_sponsorship_suspensions_total{network="${chainId}",reason="${verdict}"} 1`,
    )
  },
)

test('behavior: a sponsored operation offers the least tip, our relayer adds the rest, and budgets count it', async () => {
  await settleFees()
  const { services } = service.service
  const network = services.networks.get(chainId)
  const { chain } = service.on(chainId)
  const wallet = await service.createWallet(rest)
  const requested = await askByBuild(wallet, { transactionDetails: [burn(1n)] })
  if ('refusal' in requested) throw new Error(requested.refusal)
  const fees = await network.fees()
  expect(requested.maxPriorityFeePerGas).toBe(fees.minTip)
  expect(fees.maxPriorityFeePerGas).toBe(tip)

  const row = await rowOf(requested.hash ?? '')
  const submitted = await rest.post('/smart-account/transaction/submit', {
    walletAddress: wallet.address,
    signature: await wallet.owner.sign({ hash: row.safe_op_hash as Hex }),
  })
  expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  const hash: Hex = submitted.body.txnHash
  const [transaction, receipt] = await Promise.all([
    chain.getTransaction({ hash }),
    chain.getTransactionReceipt({ hash }),
  ])
  expect(transaction.maxPriorityFeePerGas).toBe(tip)
  expect(transaction.maxFeePerGas ?? 0n).toBeLessThanOrEqual(requested.maxFeePerGas)

  // What the relayer adds is no loss of the account.
  const real = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + 60_000) // the next audit is due
  await services.operations.bundlerFor(chainId).drive()
  clock.mockRestore()
  const audited = await service.database.db
    .selectFrom('relayer_transactions')
    .select('audited')
    .where('txn_hash', '=', hash)
    .executeTakeFirst()
  expect(audited).toEqual({ audited: true })
  const losses = await service.database.db
    .selectFrom('relayer_losses')
    .selectAll()
    .where('txn_hash', '=', hash)
    .execute()
  expect(losses).toEqual([])

  await chain.increaseTime({ seconds: 700 })
  await service.finalize(chainId)
  await chargeSponsorships({ database: service.database.db }, network)
  const { charged, reserved } = await service.database.db
    .selectFrom('sponsorships')
    .select(['charged', 'reserved'])
    .where('user_op_hash', '=', row.user_op_hash)
    .executeTakeFirstOrThrow()
  const spent = receipt.gasUsed * receipt.effectiveGasPrice
  expect(charged).toBeGreaterThanOrEqual(spent)
  expect(charged).toBeLessThan((spent * 11n) / 10n)
  expect(charged).toBeLessThanOrEqual(reserved)
})
