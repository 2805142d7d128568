import { toOwner } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { isAddress } from 'viem'
import { findNamedAccount } from '../../domain/accounts/accounts/find-named-account.ts'
import {
  assessGuardian,
  nameGuardian,
  resolveGuardian,
} from '../../domain/owners/guardians/assess-guardian.ts'
import { requireSignerOf } from '../../domain/owners/guardians/guardian-passkey.ts'
import { getOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { implement } from '../../pipeline/implement.ts'

export const check = implement(
  endpoints.guardian.check,
  async ({ account: name, guardian: named, key }, { services }) => {
    const { database, networks } = services
    const module = getOwnership(networks)
    const { wallet } = await findNamedAccount(database, name)
    const isName = !isAddress(named, { strict: false })
    const address = isName ? (await findNamedAccount(database, named)).wallet.address : named
    // The account itself is answered as such, and not as one of its passkeys.
    const guardian = address === wallet.address ? address : await resolveGuardian(database, address)
    const given = key && toOwner(key)
    if (given) requireSignerOf(guardian, given)
    return nameGuardian(await assessGuardian(services, { wallet, module }, guardian, given))
  },
)
