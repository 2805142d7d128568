/** @module-tag all */
import { encodeExecTransaction, getSafeTransactionHash, toSafeTransaction } from '@lanyard/accounts'
import { devAccounts, localTransport } from '@lanyard/devnet'
import { encodeFinalizeExit, encodeRequestExit } from '@lanyard/smart-balance'
import { randomInteger, randomPrivateKey } from '@lanyard/testing'
import { type Address, createWalletClient, encodeFunctionData, erc20Abi, parseAbi, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDelegatedAccount, newKey, pay } from '../eip7702/delegated-account.ts'
import { payee, sign } from '../orders/order-service.ts'
import { receiptOf } from '../receipt-of.ts'
import { payment, type SessionService, startSessionService } from '../session-keys/session-service.ts'
import { catchUp, createLedgerWatch, entriesOf, holdingsOf, sumOf } from './ledger-fixture.ts'

const [chainId, source] = [31337, 31338] as const
const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
const stranger = privateKeyToAccount(devAccounts[6]?.privateKey ?? randomPrivateKey())

let service: SessionService
beforeAll(async () => {
  service = await startSessionService({
    chainIds: [chainId, source],
    settings: { accountKinds: ['safe', 'eip7702'] },
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

type Wallet = Awaited<ReturnType<SessionService['createFundedWallet']>>

async function send(from: { address: Address } & typeof stranger, request: object) {
  const { chain, rpcUrl } = service.on(chainId)
  const wallet = createWalletClient({ account: from, transport: localTransport(rpcUrl) })
  return receiptOf(chain, await wallet.sendTransaction({ chain: null, ...request } as never))
}

/** An operation of the account, which pays its gas itself unless the request says otherwise. */
async function operate({ owner, address }: Wallet, calls: readonly object[], more: object = {}) {
  const build = await service.build({
    network: String(chainId),
    walletAddress: address,
    transactionDetails: calls,
    ...more,
  })
  expect(build).toMatchObject({ status: 200 })
  const signature = await sign.raw(owner, build.body.messageToSign)
  const submitted = await service.submit({ walletAddress: address, signature })
  expect(submitted).toMatchObject({ status: 200 })
  return { ...submitted.body, orderId: build.body.order?.orderId }
}

/** Everything that can move money of an account. */
const moves: Readonly<Record<string, (wallet: Wallet) => Promise<unknown>>> = {
  'tokens from a contract': ({ address }) => service.mint(chainId, address, 7_000_000n),
  async 'tokens from an EOA'({ address }) {
    await service.mint(chainId, stranger.address, 3_000_000n)
    const { settlementToken, scale } = service.on(chainId)
    const args = [address, 3_000_000n * scale] as const
    await send(stranger, {
      to: settlementToken.address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
    })
  },
  'coin from an EOA': ({ address }) => send(stranger, { to: address, value: 5n, gas: 100_000n }),
  'coin from a contract': ({ address }) =>
    send(stranger, {
      to: multicall3,
      value: 9n,
      data: encodeFunctionData({
        abi: parseAbi([
          'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
          'function aggregate3Value(Call[] calls) payable',
        ]),
        functionName: 'aggregate3Value',
        args: [[{ target: address, allowFailure: false, value: 9n, callData: '0x' }]],
      }),
    }),
  'tokens to an EOA': (wallet) => operate(wallet, [service.transfer(chainId, payee, 2_000_000n)]),
  'coin and tokens to some': (wallet) =>
    operate(wallet, [payment(11n), service.transfer(chainId, payee, 1n), payment(13n, stranger.address)]),
  'to itself': (wallet) =>
    operate(wallet, [payment(17n, wallet.address), service.transfer(chainId, wallet.address, 5n)]),
  'nothing, by itself and by a stranger': async (wallet) => {
    await operate(wallet, [service.transfer(chainId, payee, 0n), payment(0n)])
    const abi = parseAbi(['function transferFrom(address from, address to, uint256 amount) returns (bool)'])
    const args = [wallet.address, stranger.address, 0n] as const
    const { settlementToken } = service.on(chainId)
    const data = encodeFunctionData({ abi, functionName: 'transferFrom', args })
    await send(stranger, { to: settlementToken.address, data })
  },
  async 'a call that reverts'(wallet) {
    const calls = [payment(19n), service.transfer(chainId, payee, 10n ** 15n)]
    expect(await operate(wallet, calls, { allowRevert: true })).toMatchObject({ success: false })
  },
  async 'a deposit'(wallet) {
    const { body } = await service.rest.post('/v3/smartbalance/deposit', {
      ...{ walletAddress: wallet.address, network: chainId, amount: '4000000' },
    })
    await operate(wallet, body.transactions)
  },
  async 'a transaction of the Safe that no bundler sent'(wallet) {
    const { chain } = service.on(chainId)
    const nonce = await chain.readContract({
      address: wallet.address,
      abi: parseAbi(['function nonce() view returns (uint256)']),
      functionName: 'nonce',
    })
    const { targetContractAddress: to, encodedData: data } = service.transfer(chainId, payee, 6n)
    const transaction = toSafeTransaction([{ to, value: 0n, data }], nonce)
    const hash = getSafeTransactionHash(transaction, { chainId, account: wallet.address })
    const signature = await wallet.owner.sign({ hash })
    const call = encodeExecTransaction(transaction, signature)
    expect(await send(stranger, { to: wallet.address, data: call, gas: 300_000n })).toMatchObject({
      status: 'success',
    })
  },
  /** As from a contract that ends itself, or as a reward for a block. */
  async 'coin without a log'({ address }) {
    const { chain } = service.on(chainId)
    await chain.setBalance({ address, value: (await chain.getBalance({ address })) + 23n })
  },
  'a sponsored operation': (wallet) =>
    operate(wallet, [service.transfer(chainId, payee, 8n)], { paymasterData: 'sponsored' }),
  /** Its deposits here and on the other network pay. */
  async 'an order'(wallet) {
    await operate(wallet, [service.transfer(chainId, payee, 30_000_000n)], {
      orderData: { amount: '30000000' },
    })
  },
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: randomInteger(2 ** 31) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}

async function expectReconciled(network: number, { address }: Pick<Wallet, 'address'>) {
  await service.finalize(network)
  await catchUp(service, network, address)
  const { db } = service.database
  const row = await db
    .selectFrom('ledger_accounts')
    .selectAll()
    .where('account', '=', address.toLowerCase())
    .where('network', '=', network)
    .executeTakeFirstOrThrow()
  const entries = await entriesOf(db, address, network)
  const block = BigInt(row.reconciled_block ?? 0)
  const known = entries.filter(({ block_number }) => block_number <= block)
  const sums = Object.fromEntries(Object.entries(sumOf(known)).filter(([, amount]) => amount !== 0n))
  expect(sums).toEqual(await holdingsOf(service, network, address, block))
  return entries
}

test('behavior: opening balance and entries are what the chain shows, whatever moved money in whatever order', async () => {
  const wallet = await service.createFundedWallet([chainId])
  await service.deposit(chainId, wallet.address, 10_000_000n, wallet.signer)
  await service.deposit(source, wallet.address, 50_000_000n, wallet.signer)
  // The first operation proves the account. What it got before is read afterwards.
  await operate(wallet, [payment(1n)])
  const first = await expectReconciled(chainId, wallet)
  // Coin that came before the account had code has no log. The chain has no contracts in its first block, so that the first
  // balance is what the entries leave.
  expect(first[0]).toMatchObject({ kind: 'opening', asset: 'native', amount: parseEther('10') })
  expect(first.filter(({ kind }) => kind === 'opening' || kind === 'unexplained')).toHaveLength(1)
  expect(first.map(({ kind }) => kind)).toContain('transfer_in')

  for (const name of shuffle(Object.keys(moves))) await moves[name]?.(wallet)
  // What has no log shows when the balance is compared the next time: after an entry, or a day later.
  await moves['tokens from a contract']?.(wallet)
  // Two processes at once, and one of them again.
  await service.finalize(chainId)
  await Promise.all([createLedgerWatch(service, chainId).pass(), createLedgerWatch(service, chainId).pass()])
  const entries = await expectReconciled(chainId, wallet)
  expect(entries.filter(({ kind }) => kind === 'unexplained')).toMatchObject([
    { asset: 'native', amount: 23n, holding: 'account', txn_hash: null },
  ])
  const kinds = new Set(entries.map(({ kind }) => kind))
  for (const kind of ['transfer_in', 'transfer_out', 'deposit', 'withdrawal', 'order_credit', 'fee'] as const)
    expect(kinds, kind).toContain(kind)
  // Somebody else paid for one operation, and the order for another.
  const fees = entries.filter(({ kind }) => kind === 'fee')
  expect(fees.filter(({ amount }) => amount === 0n)).toHaveLength(2)
  expect(fees.every(({ gas_cost }) => gas_cost !== null && gas_cost > 0n)).toBe(true)
  expect(entries.filter(({ asset, amount }) => asset !== 'native' && amount === 0n)).toEqual([])

  const credit = entries.find(({ kind }) => kind === 'order_credit')
  await expect
    .poll(
      async () => {
        await service.finalize(chainId)
        await service.finalize(source)
        return (await service.readOrder(credit?.order_id ?? '')).state
      },
      { interval: 200, timeout: 60_000 },
    )
    .toBe('SETTLED')
  const elsewhere = await expectReconciled(source, wallet)
  expect(elsewhere.map(({ kind }) => kind)).toEqual(['deposit', 'order_debit'])
  expect(elsewhere[1]).toMatchObject({ order_id: credit?.order_id })
  const all = await expectReconciled(chainId, wallet)

  // The same over REST, page by page.
  const pages: { units: string; orderId: string | null }[] = []
  for (let next: string | null = ''; next !== null; ) {
    const after: string = next === '' ? '' : `&after=${next}`
    const { status, body } = await service.rest.get(
      `/wallet/ledger?walletAddress=${wallet.address}&network=${chainId}&limit=7${after}`,
    )
    expect(status, body.message).toBe(200)
    pages.push(...body.entries)
    next = body.next
  }
  expect(pages.map(({ units }) => units)).toEqual(all.map(({ amount }) => String(amount)))
  expect(pages.map(({ orderId }) => orderId)).toContain(credit?.order_id)
})

test('behavior: an EOA with code has entries of its operations, and what it sends itself is unexplained', async () => {
  const { rpcUrl, chain } = service.on(chainId)
  const account = await createDelegatedAccount(service.rest, rpcUrl, newKey())
  const { address } = account.key
  await service.mint(chainId, address, 9_000_000n)
  const calls = [[pay('3')], [service.transfer(chainId, payee, 2_000_000n)]]
  for (const transactionDetails of calls)
    expect(await account.send({ transactionDetails })).toMatchObject({ body: { success: true } })
  const operated = await expectReconciled(chainId, { address })
  expect(operated.map(({ kind }) => kind)).toEqual([
    ...['opening', 'transfer_in'],
    ...['fee', 'transfer_out'],
    ...['transfer_out', 'fee'],
  ])
  const before = await chain.getBalance({ address })
  await receiptOf(chain, await account.wallet.sendTransaction({ to: payee, value: 5n }))
  const lost = before - (await chain.getBalance({ address }))
  await send(stranger, { to: address, value: 1_000n, gas: 100_000n })
  await service.mint(chainId, address, 1n)
  const all = await expectReconciled(chainId, { address })
  expect(all.slice(operated.length)).toMatchObject([
    { kind: 'transfer_in' },
    { kind: 'unexplained', asset: 'native', amount: 1_000n - lost },
  ])
})

test('behavior: an account with a passkey has a ledger before its first operation, and an exit is two entries', async () => {
  const { address } = await service.createPasskeyUser()
  const { smartBalance, chain } = service.on(chainId)
  await service.deposit(chainId, address, 10_000_000n)
  await service.callAs(chainId, address, smartBalance, encodeRequestExit(smartBalance, 4_000_000n).data)
  expect((await expectReconciled(chainId, { address })).map(({ kind }) => kind)).toEqual(['deposit'])
  // The last test: the chain is ahead from here on.
  await chain.increaseTime({ seconds: 8 * 24 * 60 * 60 })
  await service.callAs(chainId, address, smartBalance, encodeFinalizeExit(smartBalance, address).data)
  const entries = await expectReconciled(chainId, { address })
  expect(entries.map(({ kind, holding, amount }) => [kind, holding, amount])).toEqual([
    ['deposit', 'smart_balance', 10_000_000n],
    ['exit', 'smart_balance', -4_000_000n],
    ['withdrawal', 'account', 4_000_000n * service.on(chainId).scale],
  ])
})
