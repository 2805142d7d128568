import { endpoints } from '@lanyard/contracts'
import { findNamedAccount } from '../../domain/accounts/accounts/find-named-account.ts'
import { findOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { listGuardians } from '../../domain/owners/recovery/list-guardians.ts'
import { implement } from '../../pipeline/implement.ts'

export const list = implement(endpoints.guardian.list, async ({ account }, { services }) => {
  const named = await findNamedAccount(services.database, account)
  return listGuardians(services, findOwnership(services.networks), named)
})
