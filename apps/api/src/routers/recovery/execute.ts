import { endpoints, LanyardError } from '@lanyard/contracts'
import { findNamedAccount } from '../../domain/accounts/accounts/find-named-account.ts'
import { makeRecoveryDue } from '../../domain/owners/messages/message-progress.ts'
import { getOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { readRecoveryStatus } from '../../domain/owners/recovery/recovery-status.ts'
import { implement } from '../../pipeline/implement.ts'

export const execute = implement(
  endpoints.recovery.execute,
  async ({ account: name, messageToSign: hash }, { services }) => {
    const { database, networks, now } = services
    const module = getOwnership(networks)
    const named = await findNamedAccount(database, name)
    const { address: account } = named.wallet
    if (!(await makeRecoveryDue(database, { account, hash, now: now() }))) {
      throw new LanyardError('UNKNOWN_RECOVERY')
    }
    return readRecoveryStatus(services, module, named)
  },
)
