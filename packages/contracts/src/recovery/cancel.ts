import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { sequence } from '../ownership/change.ts'
import { accountName } from '../smart-account/account-name.ts'
import { guardianSignature, recoveryNumber } from './fields.ts'
import { recoveryStatus } from './status-output.ts'

export const cancel = endpoint({
  method: 'POST',
  path: '/smart-account/recovery/cancel',
  tag: 'Owners',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: "Add a guardian's signature that takes recoveries back",
  description:
    'Guardians who were deceived, or who agree on other owners, end the running recovery by their threshold: `CancelRecovery` of EIP-712, whose hash `getCancelRecoveryHash` computes. As soon as enough guardians signed, the service sends it to each network. It takes back every number up to this one and leaves the sequence, so that a recovery with a higher number can be signed and started at once.',
  body: z.object({
    account: accountName,
    sequence,
    number: recoveryNumber,
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
