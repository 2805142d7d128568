import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { availabilityOf } from '../../domain/smart-balance/ledger/availability.ts'
import { findHoldings } from '../../domain/smart-balance/ledger/holdings.ts'
import { readLedger } from '../../domain/smart-balance/ledger/read-ledger.ts'
import { syncLedger } from '../../domain/smart-balance/ledger/sync-ledger.ts'
import { implement } from '../../pipeline/implement.ts'

export const deposits = implement(
  endpoints.smartBalance.deposits,
  async ({ walletAddress }, { services }) => {
    const { database, now } = services
    const { address } = await findWallet(database, walletAddress)
    const account = address.toLowerCase()
    const { failures } = await services.sharedReads.ledgers(account, () => syncLedger(services, account))
    const ledger = await readLedger(database, account)
    const holdings = await findHoldings(database, account, now())
    const unavailable = [...failures.keys()].toSorted((a, b) => a - b)
    return {
      deposits: ledger
        .filter(({ network }) => !failures.has(network))
        .map((entry) => {
          const { asSource, reserved } = availabilityOf(entry, holdings)
          return {
            network: entry.network,
            balance: String(entry.balance),
            available: String(asSource),
            reserved: String(reserved),
            exiting: String(entry.exiting),
            ...(entry.exitReadyAt > 0 && { exitReadyAt: new Date(entry.exitReadyAt * 1000).toISOString() }),
            pinned: entry.pinnedSigners.length > 0,
          }
        }),
      ...(unavailable.length > 0 && { unavailable }),
    }
  },
)
