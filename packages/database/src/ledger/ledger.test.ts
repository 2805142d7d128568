import { expect, test } from 'vitest'
import { describeEachEngine, freshDatabase } from '../testing/index.ts'
import { createEoaAccount } from '../users/create-eoa-account.ts'
import {
  admitToLedger,
  findLedgerAccounts,
  readAccountLedgers,
  readLedgerNetwork,
  resetLedger,
  startLedger,
} from './ledger-accounts.ts'
import { readLedgerEntries } from './read-ledger.ts'
import { type LedgerEntry, reconcileLedger, recordEarlierPage, recordLedgerPage } from './record-ledger.ts'

const network = 1
const now = new Date('2026-01-01T00:00:00Z')
const account = `0x${'a'.repeat(40)}`
const native = 'account:native'

describeEachEngine('ledger', (engine) => {
  /** An account that is complete from block 11 on, of a network that was read to block 20. */
  async function start(balances?: Readonly<Record<string, string>>) {
    const database = await freshDatabase(engine)
    const { db } = database
    await createEoaAccount(db, {
      address: account,
      eoaAddress: `0x${'b'.repeat(40)}`,
      deployment: {},
      createdAt: now,
    })
    await startLedger(db, network, { block: 20n, blockAt: now, now })
    await admitToLedger(db, network, [{ account, completeFrom: 11n, completeAt: now, balances, now }])
    return database
  }

  const received = (blockNumber: bigint, amount = 5n): LedgerEntry => ({
    ...{ account, blockNumber, logIndex: 0, part: 0, at: now, kind: 'transfer_in', holding: 'account' },
    ...{ asset: 'native', amount, txnHash: '0x1' },
  })
  const compare = (db: Parameters<typeof reconcileLedger>[0], block: bigint, amount: bigint) =>
    reconcileLedger(db, network, {
      ...{ block, at: now, balances: new Map([[account, { [native]: String(amount) }]]), unknown: [] },
      ...{ next: now, retryAt: now, began: now },
    })
  const kindsOf = async (db: Parameters<typeof readLedgerEntries>[0]) =>
    (await readLedgerEntries(db, { account, limit: 100 })).map(({ kind, amount }) => [kind, amount])

  test('default: an account joins its network when it was read as far, and a page without it is void', async () => {
    await using database = await start()
    const { db } = database
    const before = await findLedgerAccounts(db, network)
    expect(before).toMatchObject({ accounts: [], block: 20n })
    const earlier = { accounts: [account], now, entries: [received(12n)] }
    await recordEarlierPage(db, network, { ...earlier, fromBlock: 11n, toBlock: 15n })
    expect(await readAccountLedgers(db, account)).toMatchObject([{ complete_to: 15, is_current: false }])
    await recordEarlierPage(db, network, { ...earlier, fromBlock: 16n, toBlock: 20n, entries: [] })
    const page = { fromBlock: 21n, toBlock: 25n, at: now, now, entries: [received(22n)] }
    expect(await recordLedgerPage(db, network, { ...page, joins: before?.joins ?? 0 })).toBe(false)
    const after = await findLedgerAccounts(db, network)
    expect(after).toMatchObject({ accounts: [account], block: 20n })
    const written = { ...page, joins: after?.joins ?? 0 }
    expect(await recordLedgerPage(db, network, written)).toBe(true)
    // Another process has read the same blocks.
    expect(await recordLedgerPage(db, network, written)).toBe(false)
    expect(await kindsOf(db)).toEqual([
      ['transfer_in', 5n],
      ['transfer_in', 5n],
    ])
  })

  test('behavior: blocks that were skipped are not taken for read', async () => {
    await using database = await start()
    const { db } = database
    const skipped = { fromBlock: 14n, toBlock: 20n, accounts: [account], now, entries: [received(15n)] }
    await recordEarlierPage(db, network, skipped)
    expect(await readAccountLedgers(db, account)).toMatchObject([{ complete_to: 10 }])
    expect(await kindsOf(db)).toEqual([])
  })

  test('behavior: entries add up to the balance: what is missing is an entry, once', async () => {
    await using database = await start({ [native]: '100' })
    const { db } = database
    await recordEarlierPage(db, network, {
      ...{ fromBlock: 11n, toBlock: 20n, accounts: [account], now, entries: [received(12n)] },
    })
    expect(await compare(db, 20n, 108n)).toBe(1)
    expect(await compare(db, 20n, 108n)).toBe(0)
    expect(await kindsOf(db)).toEqual([
      ['opening', 100n],
      ['transfer_in', 5n],
      ['unexplained', 3n],
    ])
    expect(await readAccountLedgers(db, account)).toMatchObject([{ reconciled_block: 20 }])
  })

  test('behavior: without an earlier balance, the first comparison tells what the account had', async () => {
    await using database = await start()
    const { db } = database
    await recordEarlierPage(db, network, {
      ...{ fromBlock: 11n, toBlock: 20n, accounts: [account], now, entries: [received(12n)] },
    })
    expect(await compare(db, 20n, 108n)).toBe(0)
    expect(await kindsOf(db)).toEqual([
      ['opening', 103n],
      ['transfer_in', 5n],
    ])
  })

  test('behavior: a token that was not configured for a while is not counted twice', async () => {
    const token = `account:0x${'7'.repeat(40)}`
    await using database = await start({ [native]: '0', [token]: '0' })
    const { db } = database
    const entries = [{ ...received(12n), asset: token.slice('account:'.length) }]
    await recordEarlierPage(db, network, {
      ...{ fromBlock: 11n, toBlock: 20n, accounts: [account], now, entries },
    })
    const balances = async (amounts: Readonly<Record<string, string>>) =>
      reconcileLedger(db, network, {
        ...{ block: 20n, at: now, balances: new Map([[account, amounts]]), unknown: [] },
        ...{ next: now, retryAt: now, began: now },
      })
    await balances({ [native]: '0', [token]: '5' })
    await balances({ [native]: '0' })
    await balances({ [native]: '0', [token]: '7' })
    expect(await kindsOf(db)).toEqual([
      ['transfer_in', 5n],
      ['unexplained', 2n],
    ])
  })

  test('behavior: a network that is read anew begins at the block that is final then', async () => {
    await using database = await start()
    const { db } = database
    await recordEarlierPage(db, network, {
      ...{ fromBlock: 11n, toBlock: 20n, accounts: [account], now, entries: [received(12n)] },
    })
    const before = await findLedgerAccounts(db, network)
    expect(await resetLedger(db, { network })).toBe(1)
    expect(await readLedgerNetwork(db, network)).toBeUndefined()
    // A process that was reading when the ledger was forgotten writes nothing.
    const page = { fromBlock: 21n, toBlock: 25n, at: now, now, entries: [received(22n)] }
    expect(await recordLedgerPage(db, network, { ...page, joins: before?.joins ?? 0 })).toBe(false)
    await recordEarlierPage(db, network, { ...page, accounts: [account] })
    await admitToLedger(db, network, [
      { account, completeFrom: 11n, completeAt: now, balances: { [native]: '3' }, now },
    ])
    expect(await kindsOf(db)).toEqual([])
    expect(await readAccountLedgers(db, account)).toEqual([])
    // The chain has fewer blocks than it had.
    await startLedger(db, network, { block: 15n, blockAt: now, now })
    expect(await findLedgerAccounts(db, network)).toMatchObject({ accounts: [], block: 15n })
  })

  test('behavior: a place that no page names is a place all the same', async () => {
    await using database = await start({ [native]: '100' })
    const largest = Number('9'.repeat(16))
    const after = { at: new Date(0), network: 1, block: largest, logIndex: largest, part: largest }
    expect(await readLedgerEntries(database.db, { account, after, limit: 10 })).toHaveLength(1)
  })
})
