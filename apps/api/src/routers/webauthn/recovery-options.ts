import { randomBytes } from 'node:crypto'
import { endpoints } from '@lanyard/contracts'
import { listCredentials } from '../../domain/accounts/passkeys/credentials.ts'
import { creationOptions } from '../../domain/accounts/passkeys/options.ts'
import { requireNamedUser } from '../../domain/accounts/passkeys/require-named-user.ts'
import { shownCredentials } from '../../domain/accounts/passkeys/shown-credentials.ts'
import { implement } from '../../pipeline/implement.ts'

export const recoveryOptions = implement(
  endpoints.webauthn.recoveryOptions,
  async ({ username }, context) => {
    const { database } = context.services
    const { relyingParty } = context.project
    const user = await requireNamedUser(database, username)
    // No answer comes back here: the guardians decide which key counts.
    const challenge = randomBytes(32).toString('base64url')
    // An authenticator overwrites a passkey of the same user (WebAuthn L3 §6.3.2) unless it is excluded: a device that
    // still has one says so, instead of losing it.
    const exclude = await shownCredentials(context, user.id, await listCredentials(database, user.id))
    return creationOptions(relyingParty, { user, challenge, exclude })
  },
)
