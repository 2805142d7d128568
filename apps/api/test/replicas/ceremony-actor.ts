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
 * Registers users and signs them in, one at a time. One replica issues the challenge and another verifies the response.
 * Ceremonies take no Idempotency-Key, so a ceremony that loses its replica starts again with another user.
 */
export async function ceremonyActor(
  { isRunning }: Pick<Stage, 'isRunning'>,
  { url, origin, tally, outages }: Ceremonies,
): Promise<void> {
  async function step(kind: string, request: () => Promise<Answer>): Promise<Answer | undefined> {
    const overlapsOutage = outages.watch()
    const startedAt = performance.now()
    const answer = await request()
    if (answer.status === 200) {
      tally.answered(kind, answer.status, performance.now() - startedAt)
      return answer
    }
    if (!overlapsOutage()) tally.fault(`${kind}: ${answer.status} ${answer.text}`)
    else tally.count('ceremonies restarted after a kill')
    return undefined
  }

  for (let user = 0; isRunning(); user++) {
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
