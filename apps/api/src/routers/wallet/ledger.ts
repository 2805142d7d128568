import { endpoints } from '@lanyard/contracts'
import { findAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import { requireOrderAuthority } from '../../domain/accounts/callers/require-order-authority.ts'
import { readLedgerPage } from '../../domain/ledger/export-ledger.ts'
import { implement } from '../../pipeline/implement.ts'

export const ledger = implement(endpoints.wallet.ledger, async (input, context) => {
  const { networks, reads, database } = context.services
  const wallet = await findAnyWallet(database, input)
  // Movements are public on their chains; names of counterparties, and orders, are not.
  await requireOrderAuthority(context, wallet, { isRead: true })
  const { network, from, to, after, limit } = input
  return reads.read((replica) =>
    readLedgerPage(
      { database: replica, networks },
      {
        ...{ account: wallet.address, after, limit },
        network: network === undefined ? undefined : networks.get(network).chainId,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
      },
    ),
  )
})
