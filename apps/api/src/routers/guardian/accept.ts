import { endpoints, toChecksumAddress } from '@lanyard/contracts'
import { isAddress } from 'viem'
import { findNamedAccount } from '../../domain/accounts/accounts/find-named-account.ts'
import { answerInvitation } from '../../domain/owners/recovery/invitations.ts'
import { implement } from '../../pipeline/implement.ts'

export const accept = implement(
  endpoints.guardian.accept,
  async ({ invitation, guardian: name }, { services: { database, now } }) => {
    const guardian = isAddress(name, { strict: false })
      ? toChecksumAddress(name)
      : (await findNamedAccount(database, name)).wallet.address
    return answerInvitation(database, { invitation, guardian, now: now() })
  },
)
