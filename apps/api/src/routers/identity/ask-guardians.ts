import { identityNonce, toOwner } from '@lanyard/accounts'
import { endpoints, LanyardError } from '@lanyard/contracts'
import { findUserWallet } from '../../domain/accounts/accounts/find-named-account.ts'
import { recordIdentityUse, requireIdentity } from '../../domain/accounts/identities/identities.ts'
import { getOwnership } from '../../domain/owners/ownership/read-ownership.ts'
import { requestGuardians } from '../../domain/owners/recovery/guardian-request.ts'
import { readGuarded, requireGuarded } from '../../domain/owners/recovery/guardian-sets.ts'
import { implement } from '../../pipeline/implement.ts'

export const askGuardians = implement(
  endpoints.identity.askGuardians,
  async ({ idToken, newOwner: named }, { services, project }) => {
    const { database, networks } = services
    const now = services.now()
    // Whose account it is decides the nonce, so the token is read first, and then compared.
    const identity = await requireIdentity(database, await project.logins.verify(idToken))
    const wallet = await findUserWallet(database, identity.user_id)
    const newOwner = toOwner(named)
    const nonce = identityNonce({ act: 'ask-guardians', account: wallet.address, newOwner })
    const login = await project.logins.verify(idToken, nonce)
    const guarded = requireGuarded(await readGuarded(services, getOwnership(networks), wallet))
    const counting = guarded.find(({ guardians }) => guardians !== undefined)
    if (!counting) throw new LanyardError('UNKNOWN_GUARDIANS')
    return database.transaction().execute(async (transaction) => {
      await recordIdentityUse(transaction, identity, login, now)
      return requestGuardians(transaction, {
        ...{ identity, account: wallet.address, newOwner, network: counting.network.chainId, now },
      })
    })
  },
)
