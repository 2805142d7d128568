import { decodeOwnerChange, getOwnerChangeHash } from '@lanyard/accounts'
import { endpoints, LanyardError } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { acceptSignature } from '../../domain/owners/ownership/accept-change.ts'
import { budgetSenderOf, takesOver } from '../../domain/owners/ownership/change-budget.ts'
import { readOwnershipStatus } from '../../domain/owners/ownership/ownership-status.ts'
import { getOwnership, networksOf } from '../../domain/owners/ownership/read-ownership.ts'
import {
  keepSignedChange,
  listSignedChanges,
  payForChange,
} from '../../domain/owners/ownership/signed-change.ts'
import { asInvalidInput } from '../../domain/owners/ownership/to-owner-change.ts'
import { isExecuted } from '../../domain/owners/recovery/recovery-outcome.ts'
import { reserveSigned } from '../../domain/owners/reserve-signed.ts'
import { implement } from '../../pipeline/implement.ts'

export const submit = implement(
  endpoints.ownership.submit,
  async ({ walletAddress, sequence: sent, kind, data, signature }, caller) => {
    const { services } = caller
    const { database, networks, now } = services
    const module = getOwnership(networks)
    const wallet = await findWallet(database, walletAddress)
    const sequence = BigInt(sent)
    const context = { module, account: wallet.address, sequence }
    const hash = asInvalidInput('data', () => getOwnerChangeHash(decodeOwnerChange({ kind, data }), context))

    const known = await listSignedChanges(database, wallet.address)
    const taken = known.find((change) => change.sequence === sequence)
    if (taken && taken.hash !== hash) throw new LanyardError('OTHER_CHANGE_SIGNED')
    const sentBy = budgetSenderOf(caller, wallet.address)
    if (taken && takesOver(sentBy)) {
      await payForChange(database, wallet.address, { sequence, sentBy, now: now() })
    }
    if (!taken) {
      if (await isExecuted(database, wallet.address, sequence)) throw new LanyardError('OTHER_CHANGE_SIGNED')
      const change = { sequence, kind, data, signature }
      const accepted = await acceptSignature(networks, module, wallet, known, change)
      reserveSigned([data, accepted], networksOf(networks, module).length)
      const kept = await keepSignedChange(
        database,
        wallet.address,
        { ...change, signature: accepted, hash, sentBy },
        { networks: networksOf(networks, module), now: now() },
      )
      if (kept.hash !== hash) throw new LanyardError('OTHER_CHANGE_SIGNED')
    }
    return readOwnershipStatus(services, module, wallet)
  },
)
