import type { Address } from 'viem'
import { type Answer, ask, postJson } from '../http-service.ts'
import { Authenticator } from '../passkeys/authenticator.ts'
import type { Journey } from './die-and-retry.ts'
import { chainId, origin } from './kill-fixture.ts'

export interface PasskeyUser {
  readonly username: string
  readonly passkey: Authenticator
  readonly address: Address
}

/**
 * Registers a user whose authenticator increments its counter, so an assertion that the service accepted cannot be used
 * again.
 */
export async function registerPasskey(url: string, username: string): Promise<PasskeyUser> {
  const passkey = new Authenticator(origin)
  passkey.counter = 1
  const named = `username=${username}`
  const options = await ask(`${url}/v3/webauthn/register/generate-options?${named}`)
  const { body } = await postJson(`${url}/v3/webauthn/register/verify?${named}`, passkey.create(options.body))
  return { username, passkey, address: body.wallet.scw_address }
}

/**
 * A journey of three steps: transaction options, an assertion, its verification.
 *
 * @param more - extra fields of the options request
 */
export function passkeyJourney(
  user: () => PasskeyUser,
  transactionDetails: () => unknown,
  more: object = {},
): Journey {
  const keyed = (key?: string): Record<string, string> =>
    key === undefined ? {} : { 'idempotency-key': key }
  return {
    build(url, key): Promise<Answer> {
      const { username } = user()
      const request = {
        username,
        network: String(chainId),
        transactionDetails: transactionDetails(),
        ...more,
      }
      return postJson(`${url}/v3/webauthn/transaction/generate-options`, request, keyed(key))
    },
    async sign(options) {
      const { passkey } = user()
      passkey.counter++
      return passkey.get(options)
    },
    submit: (url, assertion, key) =>
      postJson(`${url}/v3/webauthn/transaction/verify?username=${user().username}`, assertion, keyed(key)),
  }
}
