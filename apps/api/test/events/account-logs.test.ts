/** @module-tag all */
// @promise 25
import { eventMessage } from '@lanyard/contracts'
import { publishEvents, readEvents, readLastPosition, watchAccount } from '@lanyard/database'
import { devAccounts } from '@lanyard/devnet'
import { randomPrivateKey, reportFigure } from '@lanyard/testing'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toMessage } from '../../src/domain/events/message.ts'
import { receiptOf } from '../receipt-of.ts'
import {
  ecdsaKey,
  fees,
  payment,
  type SessionService,
  startSessionService,
} from '../session-keys/session-service.ts'
import { createLogWatch } from './log-watch.ts'

const chainId = 31337
const finality = { confirmations: 6 }

/** The chain mines a block for each transaction and when a test requests one. Only the test polls logs. */
let service: SessionService
let proxy: RpcProxy
let wallet: Awaited<ReturnType<SessionService['createFundedWallet']>>
/** Milliseconds by which the test has advanced the clock. */
let elapsed = 0
beforeAll(async () => {
  service = await startSessionService({
    chainIds: [chainId],
    blockTime: 3_600,
    settings: { finality },
    environment: { ROLES: 'api' },
  })
  proxy = await startRpcProxy(service.on(chainId).rpcUrl)
  wallet = await service.createFundedWallet([chainId])
  const { body } = await service.build({
    ...{ network: String(chainId), walletAddress: wallet.address, transactionDetails: [payment(1n)] },
  })
  await service.approve(wallet, { status: 200, body } as never)
})
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const began = Date.now()
/** Stands still unless a test advances it, so that the pace of blocks does not depend on the machine. */
const clock = () => new Date(began + elapsed)

const watch = () => createLogWatch(service, { chainId, rpcUrl: proxy.url, finality, now: clock })

/** Polls once, far enough in the future that a poll is due. */
async function poll(by = watch()): Promise<void> {
  elapsed += 120_000
  await by.pass()
}

const subscribe = () =>
  watchAccount(service.database.db, {
    account: wallet.address.toLowerCase(),
    until: new Date(clock().getTime() + 24 * 60 * 60_000),
  })

/** The events since the last call. */
async function takeEvents() {
  const { db } = service.database
  await publishEvents(db, clock())
  const events = (await readEvents(db, { after: position, limit: 1_000 })).filter(({ type }) =>
    /^(owner|session|transfer)/.test(type),
  )
  position = await readLastPosition(db)
  return events.map((event) => {
    const message = toMessage(event)
    expect(eventMessage(message.type).parse(message)).toEqual(message)
    return message
  })
}
let position = 0

/** Watches the account. All earlier events are final and reported. */
async function startWatching() {
  await subscribe()
  await service.on(chainId).chain.mine({ blocks: 8 })
  await poll()
  await takeEvents()
}

const typesOf = (messages: Awaited<ReturnType<typeof takeEvents>>) => messages.map(({ type }) => type)

const tokens = (amount: bigint) => String(amount * service.on(chainId).scale)

const sendEther = async (value: bigint) => {
  const { chain } = service.on(chainId)
  const account = privateKeyToAccount(devAccounts[3]?.privateKey ?? randomPrivateKey())
  await receiptOf(chain, await chain.sendTransaction({ account, chain: null, to: wallet.address, value }))
}

test('behavior: the service sends no request without a subscriber', async () => {
  const process = watch()
  proxy.take()
  expect(await process.hasWork()).toBe(false)
  expect(proxy.take().requests).toBe(0)
  await subscribe()
  expect(await process.hasWork()).toBe(true)
})

test('default: transfers, sessions and owners are reported in chain order, once when they occur and once when they are final', async () => {
  await startWatching()
  await service.mint(chainId, wallet.address, 5n)
  await sendEther(parseEther('1'))
  const key = ecdsaKey()
  const granted = await service.enable(wallet, chainId, key, [
    fees,
    { type: 'native-token-allowance', allowance: '1' },
  ])
  expect(await service.approve(wallet, granted)).toMatchObject({ status: 200, body: { success: true } })
  const revoked = await service.disable(wallet, chainId, key.sessionKey)
  expect(await service.approve(wallet, revoked)).toMatchObject({ status: 200, body: { success: true } })
  await poll()
  const first = await takeEvents()
  expect(typesOf(first)).toEqual([
    'transfer.received',
    'transfer.received',
    'owner.added',
    'session.granted',
    'session.revoked',
    'owner.removed',
  ])
  const [minted, funded, added, session] = first
  expect(minted?.data).toMatchObject({ amount: tokens(5n), account: wallet.address, final: false })
  expect(minted?.data).toHaveProperty('token')
  expect(funded?.data).toMatchObject({ amount: String(parseEther('1')) })
  expect(funded?.data).not.toHaveProperty('token')
  expect(added?.data).toHaveProperty('owner', service.on(chainId).sessionKeys)
  expect(session?.data).toHaveProperty('validUntil')
  await poll()
  await poll(watch())
  expect(await takeEvents()).toEqual([])
  await service.on(chainId).chain.mine({ blocks: 7 })
  await poll()
  const last = await takeEvents()
  expect(last.map(({ type, data }) => [type, Reflect.get(data, 'final')])).toEqual([
    ...[
      ['transfer.final', true],
      ['transfer.final', true],
      ['owner.final', true],
    ],
    ...[
      ['session.final', true],
      ['session.final', true],
      ['owner.final', true],
    ],
  ])
  await poll()
  expect(await takeEvents()).toEqual([])
})

test('behavior: a reorg reverts a transfer, and transfers in the new blocks are reported', async () => {
  const { chain } = service.on(chainId)
  await startWatching()
  await service.mint(chainId, wallet.address, 7n)
  await poll()
  expect(typesOf(await takeEvents())).toEqual(['transfer.received'])
  await chain.request({ method: 'anvil_reorg', params: [1, []] } as never) // viem does not type it
  await chain.mine({ blocks: 1 })
  await poll()
  expect(await takeEvents()).toMatchObject([
    { type: 'transfer.reorged', data: { amount: tokens(7n), final: false } },
  ])
  await service.mint(chainId, wallet.address, 8n)
  await poll()
  expect(await takeEvents()).toMatchObject([{ type: 'transfer.received', data: { amount: tokens(8n) } }])
})

test('behavior: a node that omits logs does not revert a transfer', async () => {
  await startWatching()
  await service.mint(chainId, wallet.address, 9n)
  await poll()
  await takeEvents()
  proxy.set({ methods: ['eth_getLogs'], fault: { kind: 'lie', change: () => [] } })
  await service.on(chainId).chain.mine({ blocks: 1 })
  await poll()
  proxy.set()
  expect(await takeEvents()).toEqual([])
})

test('behavior: a server that names no account gets the events of all accounts', async () => {
  const { db } = service.database
  await startWatching()
  await db.deleteFrom('account_watches').execute()
  await watchAccount(db, { until: new Date(clock().getTime() + 24 * 60 * 60_000) })
  const other = await service.createWallet()
  await service.mint(chainId, other.address, 3n)
  await service.mint(chainId, '0x00000000000000000000000000000000DeaDBeef', 4n)
  await poll()
  expect(await takeEvents()).toMatchObject([{ type: 'transfer.received', data: { account: other.address } }])
})

test('behavior: a network gets no more requests than it mines blocks', async () => {
  const { chain } = service.on(chainId)
  await subscribe()
  const process = watch()
  await poll(process)
  proxy.take()
  const blocks = 300
  for (let block = 0; block < blocks; block++) {
    if (block % 20 === 0) await service.mint(chainId, wallet.address, 1n)
    else await chain.mine({ blocks: 1 })
    elapsed += 2_000
    await process.pass()
  }
  const { requests } = proxy.take()
  reportFigure(25, 'RPC requests per new block while somebody listens', requests / blocks)
  expect(requests).toBeLessThanOrEqual(blocks)
  expect(typesOf(await takeEvents()).filter((type) => type === 'transfer.received')).toHaveLength(15)
})
