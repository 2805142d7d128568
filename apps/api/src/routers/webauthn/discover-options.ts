import { endpoints } from '@lanyard/contracts'
import { anyone, issueChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { requestOptions } from '../../domain/accounts/passkeys/options.ts'
import { implement } from '../../pipeline/implement.ts'

export const discoverOptions = implement(
  endpoints.webauthn.discoverOptions,
  async (_, { services: { database, now }, project: { relyingParty } }) => {
    const challenge = await issueChallenge(database, {
      ceremony: 'discover',
      subject: anyone,
      userId: null,
      now: now(),
    })
    return { passkeyAuthenticationOptions: await requestOptions(relyingParty, { challenge, allow: [] }) }
  },
)
