import { type Database, type LedgerRow, readLedgerEntries } from '@lanyard/database'
import { smartBalanceAbi } from '@lanyard/onchain'
import type { Kysely } from 'kysely'
import { pino } from 'pino'
import type { Address } from 'viem'
import { entryPoint07Abi, entryPoint07Address, entryPoint08Address } from 'viem/account-abstraction'
import { type LedgerWatch, watchLedger } from '../../src/domain/ledger/watch-ledger.ts'
import type { OrderService } from '../orders/order-service.ts'

/** Watches a network as the worker of a separate process does. */
export function createLedgerWatch(
  service: OrderService,
  chainId: number,
  network = service.service.services.networks.get(chainId),
): LedgerWatch {
  const { now } = service.service.services
  return watchLedger({ database: service.database.db, now, log: pino({ level: 'silent' }) }, network)
}

/** Passes until an account's ledger has come to the last final block and agrees with the balances there. */
export async function catchUp(service: OrderService, chainId: number, address: Address): Promise<void> {
  const watch = createLedgerWatch(service, chainId)
  const final = Number(await service.service.services.networks.get(chainId).finalizedBlock())
  for (let passes = 0; passes < 50; passes++) {
    await watch.hasWork()
    await watch.pass()
    const row = await service.database.db
      .selectFrom('ledger_accounts as one')
      .innerJoin('ledger_networks as head', 'head.network', 'one.network')
      .select(['read_to', 'reconcile_at', 'head.block_number'])
      .where('account', '=', address.toLowerCase())
      .where('one.network', '=', chainId)
      .executeTakeFirst()
    const isCompared = row && row.reconcile_at > service.service.services.now()
    if (isCompared && row.read_to === null && row.block_number >= final) return
  }
  throw new Error('The ledger does not come to the last final block')
}

export const entriesOf = (
  database: Kysely<Database>,
  account: Address,
  network?: number,
): Promise<readonly LedgerRow[]> => readLedgerEntries(database, { account, network, limit: 10_000 })

/** What the entries add up to, by holding and asset. */
export function sumOf(entries: readonly LedgerRow[]): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = {}
  for (const { holding, asset, amount } of entries) {
    const key = `${holding} ${asset === 'native' ? 'native' : 'token'}`
    sums[key] = (sums[key] ?? 0n) + amount
  }
  return sums
}

/** The same as the chain shows it, read one by one, after a block. */
export async function holdingsOf(
  service: OrderService,
  chainId: number,
  address: Address,
  blockNumber: bigint,
): Promise<Readonly<Record<string, bigint>>> {
  const { chain, settlementToken, smartBalance } = service.on(chainId)
  const read = { blockNumber, args: [address] } as const
  const [native, gas, token, [deposit]] = await Promise.all([
    chain.getBalance({ address, blockNumber }),
    // Safes use the first, EOAs with code the second.
    Promise.all(
      [entryPoint07Address, entryPoint08Address].map((entryPoint) =>
        chain.readContract({
          ...read,
          address: entryPoint,
          abi: entryPoint07Abi,
          functionName: 'balanceOf',
        }),
      ),
    ),
    chain.readContract({
      ...read,
      address: settlementToken.address,
      abi: entryPoint07Abi,
      functionName: 'balanceOf',
    }),
    chain.readContract({
      ...read,
      address: smartBalance,
      abi: smartBalanceAbi,
      functionName: 'accounts',
    }),
  ])
  const all = {
    'account native': gas.reduce((sum, amount) => sum + amount, native),
    'account token': token,
    'smart_balance token': deposit,
  }
  return Object.fromEntries(Object.entries(all).filter(([, amount]) => amount !== 0n))
}
