import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { invitationAnswer, invitationToken } from './invitation-output.ts'

export const invitation = endpoint({
  method: 'GET',
  path: '/smart-account/guardians/invitation',
  tag: 'Owners',
  bucket: 'ceremonies',
  access: withKey,
  summary: 'Who invites you to be a guardian',
  description: 'The token is the last part of the link. Whoever has it can answer until `expiresAt`.',
  query: z.object({ invitation: invitationToken }),
  output: z.object({
    account: addressOutput,
    username: z.string().optional(),
    expiresAt: z.iso.datetime(),
    answer: invitationAnswer.optional(),
  }),
  errors: ['UNKNOWN_INVITATION'],
})
