import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { username } from '../primitives/username.ts'
import { creationOptions } from './options.ts'

export const recoveryOptions = endpoint({
  method: 'GET',
  path: '/v3/webauthn/recovery/generate-options',
  tag: 'Passkey accounts',
  bucket: 'ceremonies',
  access: withKey,
  summary: 'Create the passkey that guardians make the owner of an account',
  description:
    'For a user who lost all keys. Pass the answer to `startRegistration`, and the new public key to `POST /smart-account/recovery/prepare`. Nothing is stored. Once the recovery is executed, the passkey signs in by `/webauthn/authenticate/verify` as any other: the service then takes its key from the recovery.',
  query: z.object({ username }),
  output: creationOptions,
  errors: ['UNKNOWN_USER'],
})
