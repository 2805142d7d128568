import { toOwner } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { findNamedAccount } from '../../domain/accounts/accounts/find-named-account.ts'
import { assessGuardian, nameGuardian } from '../../domain/owners/guardians/assess-guardian.ts'
import { proveGuardian } from '../../domain/owners/guardians/prove-guardian.ts'
import { getOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { implement } from '../../pipeline/implement.ts'

export const prove = implement(
  endpoints.guardian.prove,
  async ({ account: name, guardian, time, signature, key }, { services }) => {
    const module = getOwnership(services.networks)
    const { wallet } = await findNamedAccount(services.database, name)
    await proveGuardian(services, module, wallet, {
      ...{ guardian, time, signature },
      key: key && toOwner(key),
    })
    return nameGuardian(await assessGuardian(services, { wallet, module }, guardian))
  },
)
