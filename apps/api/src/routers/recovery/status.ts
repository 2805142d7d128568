import { endpoints } from '@lanyard/contracts'
import { findNamedAccount } from '../../domain/accounts/accounts/find-named-account.ts'
import { findOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { readRecoveryStatus } from '../../domain/owners/recovery/recovery-status.ts'
import { implement } from '../../pipeline/implement.ts'

export const status = implement(endpoints.recovery.status, async ({ account }, { services }) => {
  const named = await findNamedAccount(services.database, account)
  return readRecoveryStatus(services, findOwnership(services.networks), named)
})
