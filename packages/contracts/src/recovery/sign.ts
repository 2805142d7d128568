import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { sequence } from '../ownership/change.ts'
import { accountName } from '../smart-account/account-name.ts'
import { guardianSignature, newOwners, recoveryNumber } from './fields.ts'
import { recoveryStatus } from './status-output.ts'

export const sign = endpoint({
  method: 'POST',
  path: '/smart-account/recovery/sign',
  tag: 'Owners',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: "Add a guardian's signature to a recovery",
  description:
    'The service keeps the signature if the guardian is one and it is valid. As soon as enough guardians signed, the service starts the recovery on each network through its relayer and within a budget, and executes it there after the delay. An owner cancels it by an owner change of kind `cancel`. Until enough signed, a later recovery that a guardian signs replaces the earlier one.',
  body: z.object({
    account: accountName,
    sequence,
    number: recoveryNumber,
    newOwners,
    ...guardianSignature,
  }),
  output: recoveryStatus,
  errors: [
    'UNKNOWN_WALLET',
    'UNKNOWN_NETWORK',
    'NO_OWNERSHIP',
    'NO_GUARDIANS',
    'UNKNOWN_GUARDIANS',
    'NOT_A_GUARDIAN',
    'STALE_RECOVERY',
    'OTHER_RECOVERY_SIGNED',
    'INVALID_SIGNATURE',
    'NETWORK_UNAVAILABLE',
  ],
})
