/** @module-tag all */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ledgerCsvHeader } from '@lanyard/contracts'
import {
  admitToLedger,
  createEoaAccount,
  insertPasskeyAccount,
  recordEarlierPage,
  startLedger,
} from '@lanyard/database'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLedgerPage } from '../../src/domain/ledger/export-ledger.ts'
import { account } from '../rows.ts'
import { cliEngines, contextOf } from './cli-context.ts'
import { runInProcess } from './run-in-process.ts'

const engine = cliEngines[0] ?? 'pglite'
const network = 31337
const friend = `0x${'f'.repeat(40)}`
const token = `0x${'7'.repeat(40)}` as const
const count = 2_500
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

const config = {
  ...{ chainId: network, name: 'Test', rpcUrls: ['http://127.0.0.1:9'] },
  settlementToken: { address: token, symbol: 'USDC', decimals: 6 },
}

let database: TestDatabase
let directory: string
let env: { NETWORKS_FILE: string }
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-ledger-'))
  env = { NETWORKS_FILE: join(directory, 'networks.json') }
  await writeFile(env.NETWORKS_FILE, JSON.stringify({ networks: [config] }))
  database = await freshDatabase(engine)
  const { db } = database
  const createdAt = at(0)
  await createEoaAccount(db, {
    ...{ address: account, eoaAddress: `0x${'b'.repeat(40)}`, deployment: {}, createdAt },
  })
  await db.transaction().execute((transaction) =>
    insertPasskeyAccount(transaction, {
      ...{ userId: crypto.randomUUID(), username: 'friend', address: friend, deployment: {}, createdAt },
      passkey: { x: 1n, y: 2n, verifiers: 3n },
    }),
  )
  const now = at(0)
  await startLedger(db, network, { block: 9_999n, blockAt: now, now })
  await admitToLedger(db, network, [
    { account, completeFrom: 1n, completeAt: at(0), now, balances: { 'account:native': '5' } },
  ])
  await recordEarlierPage(db, network, {
    ...{ fromBlock: 1n, toBlock: 9_999n, accounts: [account], now },
    entries: Array.from({ length: count }, (_, index) => ({
      ...{ account, blockNumber: BigInt(Math.floor(index / 2) + 1), logIndex: index % 2, part: 0 },
      ...{ at: at(Math.floor(index / 2) + 1), kind: 'transfer_in' as const, holding: 'account' as const },
      ...{ asset: token, amount: 1_500_000n, counterparty: friend, txnHash: `0x${'1'.repeat(64)}` },
    })),
  })
})
afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const run = (...args: string[]) => runInProcess(contextOf(database, env), 'ledger', ...args)
const linesOf = (text: string) => text.trimEnd().split(/\r?\n/)

test('default: every entry of every account is one line, with exact amounts and the name of the counterparty', async () => {
  const ended = await run('export')
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
  const [header, opening, first, ...others] = linesOf(ended.stdout)
  expect(`${header}\r\n`).toBe(`account,${ledgerCsvHeader}`)
  expect(opening).toContain(',opening,account,in,"ETH",,0.000000000000000005,5,')
  expect(first).toContain(
    `,transfer_in,account,in,"USDC",${getAddress(token)},1.5,1500000,${getAddress(friend)},"friend",`,
  )
  expect(others).toHaveLength(count - 1)
  expect(new Set([first, ...others]).size).toBe(count / 2) // two of one block differ only in their place
})

test('args: a period as lines of JSON, of one account', async () => {
  const period = ['--from', '2026-01-01T00:00:10Z', '--to', '2026-01-01T00:00:12Z']
  const ended = await run('export', '--account', account, '--format', 'ndjson', ...period)
  expect(linesOf(ended.stdout).map((line) => JSON.parse(line))).toMatchObject([
    { account: getAddress(account), block: '10', final: true },
    { block: '10' },
    { block: '11' },
    { block: '11' },
  ])
})

test('behavior: pages of any size have every entry once, in order', async () => {
  const networks = createNetworks([networkConfig.parse(config)])
  const seen: string[] = []
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const page = await readLedgerPage(
      { database: database.db, networks },
      { account: getAddress(account), after, limit: 333 },
    )
    expect(page.networks).toMatchObject([{ completeFrom: '1', completeTo: '9999', reconciledTo: '0' }])
    seen.push(...page.entries.map(({ block }) => block))
    isLast = page.next === null
    after = page.next ?? undefined
  }
  expect(seen).toHaveLength(count + 1)
  expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((a, b) => a - b))
})

test('behavior: what the service has not read yet is named on stderr', async () => {
  const ledgerTo = (to: string, ...more: string[]) => run('export', '--to', to, ...more)
  expect(await ledgerTo('2026-01-01T00:00:00Z', '--account', account)).toMatchObject({ code: 0, stderr: '' })
  expect((await ledgerTo('2026-01-02')).stderr).toBe(
    'Network 31337: nothing after 2026-01-01T00:00:00.000Z, the last block that was read.\n',
  )
  const now = at(0)
  await admitToLedger(database.db, network, [
    { account: friend, completeFrom: 1n, completeAt: now, now, balances: {} },
  ])
  expect((await ledgerTo('2026-01-01T00:00:00Z')).stderr).toContain('1 account lacks entries')
  expect((await ledgerTo('2026-01-01T00:00:00Z', '--account', friend)).stderr).toContain(
    `${getAddress(friend)} lacks entries of network 31337 after block 0.`,
  )
})

test('behavior: what is exported and read again is in the audit log', async () => {
  const acts = async () =>
    (await database.db.selectFrom('audit_log').select('act').orderBy('position').execute()).map(
      ({ act }) => act,
    )
  expect(await acts()).toContain('ledger.export')
  const ended = await run('reindex', '--network', String(network), '--account', account, '--json')
  expect(ended.json()).toMatchObject({ network, accounts: 1 })
  expect(await acts()).toContain('ledger.reindex')
  const empty = await run('export', '--account', account)
  expect(linesOf(empty.stdout)).toHaveLength(1)
  expect(empty.stderr).toContain('has no ledger on network 31337')
  expect(await run('export', '--account', `0x${'9'.repeat(40)}`)).toMatchObject({ code: 1, stdout: '' })
})
