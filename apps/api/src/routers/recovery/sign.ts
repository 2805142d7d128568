import { toOwner } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { findNamedAccount } from '../../domain/accounts/accounts/find-named-account.ts'
import { budgetSenderOf } from '../../domain/owners/ownership/change-budget.ts'
import { getOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { acceptRecovery } from '../../domain/owners/recovery/accept-recovery.ts'
import { readRecoveryStatus } from '../../domain/owners/recovery/recovery-status.ts'
import { implement } from '../../pipeline/implement.ts'

export const sign = implement(
  endpoints.recovery.sign,
  async ({ account, sequence, number, newOwners, guardian, signature, network, key, guardians }, caller) => {
    const { services } = caller
    const module = getOwnership(services.networks)
    const named = await findNamedAccount(services.database, account)
    await acceptRecovery(services, module, named.wallet, {
      ...{
        sequence: BigInt(sequence),
        number: BigInt(number),
        newOwners: newOwners.map((owner) => toOwner(owner)),
        guardian,
        signature,
        guardians,
      },
      chainId: network,
      key: key && toOwner(key),
      sentBy: budgetSenderOf(caller, named.wallet.address),
    })
    return readRecoveryStatus(services, module, named)
  },
)
