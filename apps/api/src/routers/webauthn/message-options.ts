import { endpoints, LanyardError } from '@lanyard/contracts'
import { findUserWallet } from '../../domain/accounts/accounts/find-named-account.ts'
import { findPasskeySigners } from '../../domain/accounts/owners/describe-owners.ts'
import { readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { listCredentials } from '../../domain/accounts/passkeys/credentials.ts'
import { requestOptions } from '../../domain/accounts/passkeys/options.ts'
import { requireNamedUser } from '../../domain/accounts/passkeys/require-named-user.ts'
import { shownCredentials } from '../../domain/accounts/passkeys/shown-credentials.ts'
import { hashMessageFor, toMessageChallenge } from '../../domain/messages/account-message.ts'
import { implement } from '../../pipeline/implement.ts'

export const messageOptions = implement(endpoints.webauthn.messageOptions, async (input, context) => {
  const { database, networks } = context.services
  const { relyingParty } = context.project
  const network = networks.get(input.network)
  const user = await requireNamedUser(database, input.username)
  const wallet = await findUserWallet(database, user.id)
  const { messageHash, messageToSign } = await hashMessageFor(wallet, network, input)
  const [{ deployed, owners }, credentials] = await Promise.all([
    readOwners(network, wallet),
    listCredentials(database, user.id),
  ])
  const signers = await findPasskeySigners(network, wallet, owners, credentials)
  if (signers.length === 0) throw new LanyardError('OWNER_NOT_HERE')
  const options = await requestOptions(relyingParty, {
    challenge: toMessageChallenge(messageToSign),
    allow: await shownCredentials(
      context,
      user.id,
      signers.map(({ credential }) => credential),
    ),
  })
  return { ...options, messageHash, deployed }
})
