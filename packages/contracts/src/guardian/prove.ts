import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { shortHex } from '../ownership/change.ts'
import { address } from '../primitives/address.ts'
import { accountName } from '../smart-account/account-name.ts'
import { guardianKey, guardianOutput } from './fields.ts'

export const prove = endpoint({
  method: 'POST',
  path: '/smart-account/guardian/prove',
  tag: 'Owners',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Show that a guardian can sign: the answer to an invitation, and a practice run',
  description:
    'The guardian signs `guardianProofTypedData` exactly as a recovery: an EOA as typed data, a passkey its hash. It starts nothing on any network. The service keeps the time of the newest proof, if the guardian is in a set that an owner signed.',
  body: z.object({
    account: accountName,
    guardian: address,
    time: z
      .int()
      .min(0)
      .max(4_294_967_295)
      .meta({ description: 'Unix seconds, as signed; not in the future.', example: 1_795_000_000 }),
    signature: shortHex,
    key: guardianKey,
  }),
  output: guardianOutput,
  errors: ['UNKNOWN_WALLET', 'NO_OWNERSHIP', 'NOT_A_GUARDIAN', 'INVALID_SIGNATURE', 'NETWORK_UNAVAILABLE'],
})
