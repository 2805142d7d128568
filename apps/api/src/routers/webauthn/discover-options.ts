import { endpoints } from '@lanyard/contracts'
import { implement } from '../../implement.ts'
import { anyone, issueChallenge } from '../../webauthn/challenges.ts'
import { requestOptions } from '../../webauthn/options.ts'

export const discoverOptions = implement(
  endpoints.webauthn.discoverOptions,
  async (_, { services: { database, relyingParty, now } }) => {
    const challenge = await issueChallenge(database, {
      ceremony: 'discover',
      subject: anyone,
      userId: null,
      now: now(),
    })
    return { passkeyAuthenticationOptions: await requestOptions(relyingParty, { challenge, allow: [] }) }
  },
)
