import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { type DevnetNode, startNode } from '@lanyard/devnet'
import { createTestClient, type Hex, http, publicActions, walletActions } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkOf } from '../../test/network.ts'
import { watchLogs } from './watch-logs.ts'

const emitter = '0x00000000000000000000000000000000000e3117'
const confirmations = 3

let node: DevnetNode
let database: TestDatabase
beforeAll(async () => {
  // Blocks come only with transactions and `mine`, so no time makes a log final.
  ;[node, database] = await Promise.all([startNode({ blockTime: 3_600 }), freshDatabase()])
})
afterAll(async () => {
  await Promise.all([node?.[Symbol.asyncDispose](), database?.[Symbol.asyncDispose]()])
})

/** A watch of all logs of a contract, and what it reported in each of its passes. */
async function startWatch() {
  const chain = createTestClient({ mode: 'anvil', chain: foundry, transport: http(node.rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)
  const [account] = await chain.getAddresses()
  if (!account) throw new TypeError('The node has accounts')
  await chain.setCode({ address: emitter, bytecode: '0x5f5fa0' }) // PUSH0, PUSH0, LOG0
  await database.db.deleteFrom('watched_contracts').execute()
  await chain.mine({ blocks: confirmations + 1 }) // the logs of other tests are in earlier blocks
  const network = networkOf({ rpcUrls: [node.rpcUrl], finality: { confirmations } })
  const told: Hex[] = []
  let failsNow = false
  const create = () =>
    watchLogs({
      ...{ database: database.db, network, now: () => new Date(0), table: 'watched_contracts', alarms: [] },
      read: (client, range) => client.getLogs({ address: emitter, ...range }),
      async handle(logs, isNew) {
        const fresh = logs.filter(isNew)
        if (failsNow) throw new Error('the page is lost')
        told.push(...fresh.map(({ transactionHash }) => transactionHash))
      },
    })
  const watch = create()
  await watch.pass() // begins at the final block
  return {
    pass: watch.pass,
    /** Another process of the service. */
    passElsewhere: () => create().pass(),
    mine: (blocks: number) => chain.mine({ blocks }),
    /** @returns the transaction of a new log */
    async emit() {
      const hash = await chain.sendTransaction({ account, to: emitter })
      await chain.waitForTransactionReceipt({ hash })
      return hash
    },
    async passInVain() {
      failsNow = true
      await expect(watch.pass()).rejects.toThrow('the page is lost')
      failsNow = false
    },
    /** Since the last call. */
    takeTold: () => told.splice(0),
  }
}

test('behavior: a log is reported once, although its block is read until it is final', async () => {
  const { pass, mine, emit, takeTold } = await startWatch()
  const first = await emit()
  await pass()
  expect(takeTold()).toEqual([first])
  const second = await emit()
  await pass()
  expect(takeTold()).toEqual([second])
  await mine(confirmations + 1)
  await pass()
  await pass()
  expect(takeTold()).toEqual([])
})

test('behavior: a log whose page failed is reported by the next pass, once', async () => {
  const { pass, passInVain, emit, takeTold } = await startWatch()
  const hash = await emit()
  await passInVain()
  await passInVain()
  expect(takeTold()).toEqual([])
  await pass()
  expect(takeTold()).toEqual([hash])
  await pass()
  expect(takeTold()).toEqual([])
})

test('behavior: a log that becomes final while its page fails is not lost', async () => {
  const { pass, passInVain, mine, emit, takeTold } = await startWatch()
  const hash = await emit()
  await passInVain()
  await mine(2 * confirmations)
  await passInVain()
  await pass()
  expect(takeTold()).toEqual([hash])
})

test('behavior: another process reads again only what is not final', async () => {
  const { pass, passElsewhere, mine, emit, takeTold } = await startWatch()
  const final = await emit()
  await mine(confirmations + 1)
  await pass()
  expect(takeTold()).toEqual([final])
  const open = await emit()
  await pass()
  expect(takeTold()).toEqual([open])
  await passElsewhere()
  expect(takeTold()).toEqual([open])
})
