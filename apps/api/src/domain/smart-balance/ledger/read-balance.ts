import type { EndpointResult, endpoints } from '@lanyard/contracts'
import type { Address, Hex } from 'viem'
import type { Shared } from '../../../platform/shared-reads.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { availabilityOf, isPinned } from './availability.ts'
import { findHoldings } from './holdings.ts'
import type { Deposit } from './read-deposit.ts'
import { type LedgerEntry, readLedger } from './read-ledger.ts'
import { type SyncedLedger, syncLedger } from './sync-ledger.ts'

type Balance = EndpointResult<typeof endpoints.smartBalance.getBalance>

/**
 * The part of an account's deposits that orders could use now, by the same rules as a reservation: final, not
 * exiting, not reserved, and pinned for the signer who can reach the most. For an account that this service
 * does not have, and whose signers are unknown, it is the balance on the chains.
 */
export async function readBalance(
  services: SmartBalanceServices & { readonly sharedReads: { readonly ledgers: Shared<SyncedLedger> } },
  account: Address,
): Promise<Balance> {
  const key = account.toLowerCase()
  const { deposits, failures } = await services.sharedReads.ledgers(key, () => syncLedger(services, key))
  const ledger = await readLedger(services.database, key)
  const balances = ledger.length > 0 ? await spendable(services, key, ledger, deposits) : deposits.map(toHeld)
  const unavailable = [...failures.keys()].toSorted((a, b) => a - b)
  return {
    netBalance: String(balances.reduce((sum, { amount }) => sum + amount, 0n)),
    balances: Object.fromEntries(balances.map(({ network, amount }) => [network, String(amount)])),
    ...(unavailable.length > 0 && { unavailable }),
  }
}

interface NetworkAmount {
  readonly network: number
  /** 6 decimals. */
  readonly amount: bigint
}

const toHeld = ({ network, balance, exiting }: Deposit): NetworkAmount => ({
  network,
  amount: balance - exiting,
})

async function spendable(
  { database, now }: SmartBalanceServices,
  account: string,
  ledger: readonly LedgerEntry[],
  answered: readonly Deposit[],
): Promise<NetworkAmount[]> {
  const holdings = await findHoldings(database, account, now())
  const entries = ledger.filter(({ network }) => answered.some((deposit) => deposit.network === network))
  const reachedBy = (signer: Hex): NetworkAmount[] =>
    entries.map((entry) => ({
      network: entry.network,
      amount: isPinned(entry, signer) ? availabilityOf(entry, holdings).asSource : 0n,
    }))
  const sum = (amounts: readonly NetworkAmount[]) => amounts.reduce((all, { amount }) => all + amount, 0n)
  const nothing = entries.map(({ network }) => ({ network, amount: 0n }))
  return entries
    .flatMap(({ pinnedSigners }) => pinnedSigners.map(reachedBy))
    .reduce((best, reached) => (sum(reached) > sum(best) ? reached : best), nothing)
}
