import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { namedOwner } from '../ownership/change.ts'
import { guardianRequest } from '../recovery/status-output.ts'
import { idToken, nonceText } from './fields.ts'

export const askGuardians = endpoint({
  method: 'POST',
  path: '/login/identity/ask-guardians',
  tag: 'Logins',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  maxBody: 64,
  summary: 'Ask the guardians of the linked account to recover it',
  description: `For a user who lost all keys. ${nonceText('the account and the new owner')} \`GET /smart-account/recovery\` shows the request for seven days, and the event \`recovery.requested\` tells the owner. It starts nothing: guardians sign or do not sign, and the delay of the account stays. At most three a day for an account; the newest replaces the one before.`,
  body: z.object({ idToken, newOwner: namedOwner }),
  output: guardianRequest,
  errors: [
    'IDENTITY_REFUSED',
    'IDENTITY_PROVIDER_UNAVAILABLE',
    'UNKNOWN_IDENTITY',
    'NO_OWNERSHIP',
    'NO_GUARDIANS',
    'UNKNOWN_GUARDIANS',
    'NETWORK_UNAVAILABLE',
  ],
})
