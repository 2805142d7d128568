import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { accountName } from '../smart-account/account-name.ts'
import { invitationAnswer, invitationToken } from './invitation-output.ts'

export const accept = endpoint({
  method: 'POST',
  path: '/smart-account/guardians/accept',
  tag: 'Owners',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  summary: 'Answer an invitation: the account or address that will sign for it',
  description:
    'A username names that account of this service. An address is taken as it is: an account, an EOA, or the signer contract of a passkey. An invitation is answered once; the same answer again changes nothing.',
  body: z.object({ invitation: invitationToken, guardian: accountName }),
  output: invitationAnswer,
  errors: ['UNKNOWN_INVITATION', 'INVITATION_ANSWERED', 'UNKNOWN_WALLET'],
})
