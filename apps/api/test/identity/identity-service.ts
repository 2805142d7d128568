import { identityNonce } from '@lanyard/accounts'
import type { Address } from 'viem'
import type { Authenticator, CreationOptions, Tampering } from '../passkeys/authenticator.ts'
import type { PasskeyService } from '../passkeys/passkey-service.ts'
import type { LoginProvider } from './start-login-provider.ts'

type Api = Pick<PasskeyService, 'get' | 'post'>

/** Registers a login with a new passkey, as the wallet does. */
export async function registerLogin(
  { post }: Api,
  provider: LoginProvider,
  {
    username,
    passkey,
    sub,
    tampering,
  }: {
    readonly username: string
    readonly passkey: Authenticator
    readonly sub: string
    readonly tampering?: Tampering
  },
) {
  const reserved = await post<{ options: CreationOptions }>('/login/identity/reserve', {
    idToken: await provider.forge({ sub }),
    username,
  })
  if (reserved.status !== 200) return reserved as never
  const { options } = reserved.body
  const registration = passkey.create(options, tampering)
  const nonce = identityNonce({ act: 'register', passkey: passkey.point, challenge: options.challenge })
  return post<{ token: string; username: string; wallet: { scw_address: Address } }>(
    '/login/identity/register',
    {
      ...registration,
      ...{ username, idToken: await provider.forge({ sub, nonce }) },
    },
  )
}
