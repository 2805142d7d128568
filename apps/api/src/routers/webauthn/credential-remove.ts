import { endpoints, LanyardError } from '@lanyard/contracts'
import { findUserWallet } from '../../domain/accounts/accounts/find-named-account.ts'
import { requireUser } from '../../domain/accounts/callers/caller.ts'
import { findPasskeySigners } from '../../domain/accounts/owners/describe-owners.ts'
import { readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { listCredentials } from '../../domain/accounts/passkeys/credentials.ts'
import { implement } from '../../pipeline/implement.ts'

export const credentialRemove = implement(
  endpoints.webauthn.credentialRemove,
  async ({ credentialId }, context, keepAnswer) => {
    const { database, networks } = context.services
    const userId = await requireUser(context)
    const credential = (await listCredentials(database, userId)).find(({ id }) => id === credentialId)
    if (!credential) throw new LanyardError('UNKNOWN_CREDENTIAL')
    const wallet = await findUserWallet(database, userId)
    // Every network must answer: the passkey may still be an owner on one that is down.
    await Promise.all(
      networks.list().map(async (network) => {
        const { owners } = await readOwners(network, wallet)
        const signers = await findPasskeySigners(network, wallet, owners, [credential])
        if (signers.length === 0) return
        throw new LanyardError('CREDENTIAL_IN_USE', {
          message: `This passkey still owns the wallet on ${network.config.name}. Remove it there first.`,
          details: { network: network.chainId },
        })
      }),
    )
    const answer = { message: `${credential.label} no longer signs in.` }
    await database.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('credentials')
        .where('id', '=', credentialId)
        .where('user_id', '=', userId)
        .execute()
      await keepAnswer?.(transaction, answer)
    })
    return answer
  },
)
