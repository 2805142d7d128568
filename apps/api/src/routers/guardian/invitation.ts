import { endpoints } from '@lanyard/contracts'
import { findNamedAccount } from '../../domain/accounts/accounts/find-named-account.ts'
import { findUserWallet } from '../../domain/accounts/accounts/find-user-wallet.ts'
import { describeAnswer, findInvitation } from '../../domain/owners/recovery/invitations.ts'
import { implement } from '../../pipeline/implement.ts'

export const invitation = implement(
  endpoints.guardian.invitation,
  async ({ invitation: token }, { services: { database, now } }) => {
    const row = await findInvitation(database, token, now())
    const { address } = await findUserWallet(database, row.user_id)
    const { username } = await findNamedAccount(database, address)
    return {
      ...{ account: address, expiresAt: row.expires_at.toISOString() },
      ...(username !== undefined && { username }),
      ...(await describeAnswer(database, row)),
    }
  },
)
