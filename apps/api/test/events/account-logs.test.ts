/** @module-tag all */
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

/** Blocks come with transactions and when a test asks for them. Nothing but the test looks at logs. */
let service: SessionService
let proxy: RpcProxy
let wallet: Awaited<ReturnType<SessionService['createRich']>>
/** Milliseconds that the test has let pass. */
let waited = 0
beforeAll(async () => {
  service = await startSessionService({
    chainIds: [chainId],
    blockTime: 3_600,
    settings: { finality },
    environment: { ROLES: 'api' },
  })
  proxy = await startRpcProxy(service.on(chainId).rpcUrl)
  wallet = await service.createRich([chainId])
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
/** Stands still between waits, so that the pace of blocks does not depend on the machine. */
const clock = () => new Date(began + waited)

const watch = () => createLogWatch(service, { chainId, rpcUrl: proxy.url, finality, now: clock })

/** One look, whenever the next one may be. */
async function look(by = watch()): Promise<void> {
  waited += 120_000
  await by.pass()
}

const listen = () =>
  watchAccount(service.database.db, {
    account: wallet.address.toLowerCase(),
    until: new Date(clock().getTime() + 24 * 60 * 60_000),
  })

/** What is told since the last time. */
async function told() {
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

/** Somebody listens, and everything before is final and told. */
async function begin() {
  await listen()
  await service.on(chainId).chain.mine({ blocks: 8 })
  await look()
  await told()
}

const typesOf = (messages: Awaited<ReturnType<typeof told>>) => messages.map(({ type }) => type)

const tokens = (amount: bigint) => String(amount * service.on(chainId).scale)

const sendEther = async (value: bigint) => {
  const { chain } = service.on(chainId)
  const account = privateKeyToAccount(devAccounts[3]?.privateKey ?? randomPrivateKey())
  await receiptOf(chain, await chain.sendTransaction({ account, chain: null, to: wallet.address, value }))
}

test('behavior: nobody listens, nothing is asked', async () => {
  const process = watch()
  proxy.take()
  expect(await process.hasWork()).toBe(false)
  expect(proxy.take().requests).toBe(0)
  await listen()
  expect(await process.hasWork()).toBe(true)
})

test('default: transfers, sessions and owners, in the order of the chain, once, and again when they are final', async () => {
  await begin()
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
  await look()
  const first = await told()
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
  await look()
  await look(watch())
  expect(await told()).toEqual([])
  await service.on(chainId).chain.mine({ blocks: 7 })
  await look()
  const last = await told()
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
  await look()
  expect(await told()).toEqual([])
})

test('behavior: a reorg takes a transfer back; what the new blocks have is told', async () => {
  const { chain } = service.on(chainId)
  await begin()
  await service.mint(chainId, wallet.address, 7n)
  await look()
  expect(typesOf(await told())).toEqual(['transfer.received'])
  await chain.request({ method: 'anvil_reorg', params: [1, []] } as never) // viem does not type it
  await chain.mine({ blocks: 1 })
  await look()
  expect(await told()).toMatchObject([
    { type: 'transfer.reorged', data: { amount: tokens(7n), final: false } },
  ])
  await service.mint(chainId, wallet.address, 8n)
  await look()
  expect(await told()).toMatchObject([{ type: 'transfer.received', data: { amount: tokens(8n) } }])
})

test('behavior: a node that leaves logs out takes nothing back', async () => {
  await begin()
  await service.mint(chainId, wallet.address, 9n)
  await look()
  await told()
  proxy.set({ methods: ['eth_getLogs'], fault: { kind: 'lie', change: () => [] } })
  await service.on(chainId).chain.mine({ blocks: 1 })
  await look()
  proxy.set()
  expect(await told()).toEqual([])
})

test('behavior: all accounts of the service, for a server that names none', async () => {
  const { db } = service.database
  await begin()
  await db.deleteFrom('account_watches').execute()
  await watchAccount(db, { until: new Date(clock().getTime() + 24 * 60 * 60_000) })
  const other = await service.createWallet()
  await service.mint(chainId, other.address, 3n)
  await service.mint(chainId, '0x00000000000000000000000000000000DeaDBeef', 4n)
  await look()
  expect(await told()).toMatchObject([{ type: 'transfer.received', data: { account: other.address } }])
})

test('behavior: a network is sent no more requests than it makes blocks', async () => {
  const { chain } = service.on(chainId)
  await listen()
  const process = watch()
  await look(process)
  proxy.take()
  const blocks = 300
  for (let block = 0; block < blocks; block++) {
    if (block % 20 === 0) await service.mint(chainId, wallet.address, 1n)
    else await chain.mine({ blocks: 1 })
    waited += 2_000
    await process.pass()
  }
  const { requests } = proxy.take()
  reportFigure(25, 'RPC requests per new block while somebody listens', requests / blocks)
  expect(requests).toBeLessThanOrEqual(blocks)
  expect(typesOf(await told()).filter((type) => type === 'transfer.received')).toHaveLength(15)
})
