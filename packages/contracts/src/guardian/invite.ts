import { z } from 'zod'
import { ofUser } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { invitationToken } from './invitation-output.ts'

export const invite = endpoint({
  method: 'POST',
  path: '/smart-account/guardians/invite',
  tag: 'Owners',
  bucket: 'ceremonies',
  access: ofUser,
  idempotency: 'none',
  summary: 'Invite somebody to be a guardian of your account',
  description:
    "Needs the user's token. Put `invitation` into a link for one person. Whoever has the link can answer once, with an account or an address. It makes nobody a guardian: an owner signs that. A user has at most 32 invitations; another one replaces the oldest.",
  body: z.object({
    label: z
      .string()
      .trim()
      .min(1)
      .max(64, 'At most 64 characters')
      .regex(/^\P{C}*$/u, 'A label has no control or invisible characters')
      .meta({ description: 'The person it is for. Only you see it.', example: 'Anna' }),
  }),
  output: z.object({ invitation: invitationToken, expiresAt: z.iso.datetime() }),
  errors: ['UNKNOWN_WALLET'],
})
