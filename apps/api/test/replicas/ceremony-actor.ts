import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, ask, postJson } from '../http-service.ts'
import type { Stage } from '../load/stage.ts'
import type { Tally } from '../load/tally.ts'
import { Authenticator } from '../passkeys/authenticator.ts'
import type { Outages } from './outages.ts'

/** Milliseconds between two users. */
const pause = 100

interface Ceremonies {
  readonly url: string
  readonly origin: string
  readonly tally: Tally
  readonly outages: Outages
}

/**
 * Registers users and signs them in, one after the other. What a challenge belongs to was decided by one replica, and
 * its answer goes to another. Ceremonies take no Idempotency-Key, so one that loses its replica to a kill is begun again
 * with another user.
 */
export async function ceremonyActor(
  { goesOn }: Pick<Stage, 'goesOn'>,
  { url, origin, tally, outages }: Ceremonies,
): Promise<void> {
  async function step(kind: string, request: () => Promise<Answer>): Promise<Answer | undefined> {
    const wasOut = outages.watch()
    const began = performance.now()
    const answer = await request()
    if (answer.status === 200) {
      tally.answered(kind, answer.status, performance.now() - began)
      return answer
    }
    if (!wasOut()) tally.fault(`${kind}: ${answer.status} ${answer.text}`)
    else tally.count('ceremonies begun again after a kill')
    return undefined
  }

  for (let user = 0; goesOn(); user++) {
    await delay(pause)
    const named = `username=rolling-${user}`
    const passkey = new Authenticator(origin)
    const options = await step('ceremony', () => ask(`${url}/v3/webauthn/register/generate-options?${named}`))
    if (!options) continue
    const registered = await step('ceremony', () =>
      postJson(`${url}/v3/webauthn/register/verify?${named}`, passkey.create(options.body)),
    )
    if (!registered) continue
    const challenge = await step('ceremony', () =>
      ask(`${url}/webauthn/authenticate/generate-options?${named}`),
    )
    if (!challenge) continue
    const signedIn = await step('ceremony', () =>
      postJson(
        `${url}/webauthn/authenticate/verify?${named}`,
        passkey.get(challenge.body.passkeyAuthenticationOptions),
      ),
    )
    if (signedIn) tally.count('users registered and signed in')
  }
}
