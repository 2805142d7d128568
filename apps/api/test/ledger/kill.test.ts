/** @module-tag all */
/** @module-tag longer */
import { readFile, writeFile } from 'node:fs/promises'
import { createEoaAccount, openDatabase, readAccountLedgers, readLedgerEntries } from '@lanyard/database'
import { testEngines } from '@lanyard/database/testing'
import { isLong, randomAddress } from '@lanyard/testing'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import { describe, expect, test } from 'vitest'
import { startDevnetInFolder } from '../devnet-in-folder.ts'
import { orderChains } from '../orders/order-chains.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'

const chainId = 31337
const transfers = Array.from({ length: 30 }, (_, index) => BigInt(index + 1))

/** Only the ledger names accounts in the third topic. */
const isOfLedger = ({
  method,
  params,
}: {
  readonly method: string
  readonly params?: readonly unknown[]
}) => {
  const [filter] = (params ?? []) as readonly { readonly topics?: readonly unknown[] }[]
  return method === 'eth_getLogs' && Array.isArray(filter?.topics?.[0]) && Array.isArray(filter.topics[2])
}

describe.skipIf(!testEngines().includes('postgresql'))('a ledger whose process is killed', () => {
  test('behavior: entries are written once and completely, wherever SIGKILL ends a pass', async () => {
    await using devnet = await startDevnetInFolder({ chainIds: [chainId] })
    const { on, mint } = orderChains(devnet)
    let beforePage = async () => {}
    await using proxy = await startRpcProxy(on(chainId).rpcUrl, 0, async (requests) => {
      if (requests.some(isOfLedger)) await beforePage()
    })
    const { networks } = JSON.parse(await readFile(devnet.networksFile, 'utf8'))
    const settings = { rpcUrls: [proxy.url], rpcLogRange: 4, finality: { confirmations: 2 } }
    const changed = networks.map((one: object) => ({ ...one, ...settings }))
    await writeFile(devnet.networksFile, JSON.stringify({ networks: changed }))
    await using storage = await devnet.environment('postgresql')
    await using database = await openDatabase({ url: storage.env.DATABASE_URL ?? '' })
    const { db } = database

    const account = randomAddress()
    await createEoaAccount(db, {
      ...{ address: account, eoaAddress: randomAddress(), deployment: {}, createdAt: new Date() },
    })
    await db
      .updateTable('accounts')
      .set({ signatures: 1 })
      .where('address', '=', account.toLowerCase())
      .execute()
    for (const amount of transfers) await mint(chainId, account, amount)
    await on(chainId).chain.mine({ blocks: 4 })

    const readTo = async () => (await readAccountLedgers(db, account))[0]
    const reached: number[] = []
    for (const pagesUntilDeath of isLong ? [1, 2, 3] : [1, 3]) {
      let pages = 0
      const started = Promise.withResolvers<ServiceProcess>()
      // The first pass begins before the service has started.
      beforePage = async () => {
        if (++pages === pagesUntilDeath) (await started.promise).child.kill('SIGKILL')
      }
      await using dying = await startServiceProcess(storage.env)
      started.resolve(dying)
      expect(await dying.ended).toBe('SIGKILL')
      reached.push((await readTo())?.complete_to ?? -1)
    }
    beforePage = async () => {}
    // Each of them left some for the next.
    const last = Number(await on(chainId).chain.getBlockNumber())
    expect(Math.max(...reached)).toBeLessThan(last - 4)
    expect(Math.max(...reached)).toBeGreaterThan(0)

    await using _ = await startConfigured(storage.env)
    await expect
      .poll(async () => (await readTo())?.reconciled_block ?? 0, { interval: 200, timeout: 240_000 })
      .toBeGreaterThanOrEqual(last - 2)
    const entries = await readLedgerEntries(db, { account, limit: 1_000 })
    expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual(
      transfers.map((amount) => ['transfer_in', amount]),
    )
  })
})
