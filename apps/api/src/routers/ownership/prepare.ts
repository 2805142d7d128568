import { encodeOwnerChange, getOwnerChangeHash } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { getOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { nextSequence, toOwnerChange } from '../../domain/owners/ownership/to-owner-change.ts'
import { requireAlikeOwner } from '../../domain/owners/require-alike-owner.ts'
import { implement } from '../../pipeline/implement.ts'

export const prepare = implement(
  endpoints.ownership.prepare,
  async ({ walletAddress, change }, { services }) => {
    const { database, networks } = services
    const module = getOwnership(networks)
    const wallet = await findWallet(database, walletAddress)
    const wanted = toOwnerChange(change)
    const added =
      change.kind === 'addOwner' ? change.owner : change.kind === 'replaceOwner' ? change.added : undefined
    if (added && 'address' in added) await requireAlikeOwner(networks, wallet, added, 'change')
    const sequence = await nextSequence(services, module, wallet)
    return {
      module,
      sequence: sequence.toString(),
      ...encodeOwnerChange(wanted),
      messageToSign: getOwnerChangeHash(wanted, { module, account: wallet.address, sequence }),
    }
  },
)
