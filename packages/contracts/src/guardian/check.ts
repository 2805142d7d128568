import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { accountName } from '../smart-account/account-name.ts'
import { guardianKey, guardianOutput } from './fields.ts'

export const check = endpoint({
  method: 'POST',
  path: '/smart-account/guardian/check',
  tag: 'Owners',
  bucket: 'builds',
  access: withKey,
  idempotency: 'none',
  summary: 'Check whether a person or an address can be a guardian of an account, on each network',
  description:
    'Before an owner names guardians. For a user of this service, or the address of their account, the answer has the address to name: the signer contract of their passkey, or their EOA. Nothing is stored.',
  body: z.object({
    account: accountName,
    guardian: accountName,
    key: guardianKey,
  }),
  output: guardianOutput,
  errors: ['UNKNOWN_WALLET', 'NO_OWNERSHIP', 'NETWORK_UNAVAILABLE'],
})
