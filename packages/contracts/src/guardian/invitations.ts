import { z } from 'zod'
import { ofUser } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { invitationAnswer } from './invitation-output.ts'

export const invitations = endpoint({
  method: 'GET',
  path: '/smart-account/guardians/invitations',
  tag: 'Owners',
  bucket: 'calls',
  access: ofUser,
  summary: 'Your invitations of guardians, and who answered',
  description:
    "Needs the user's token. Before you name the address as a guardian, ask the person by another channel whether the answer is theirs.",
  query: z.object({}),
  output: z.object({
    invitations: z.array(
      z.object({
        label: z.string(),
        createdAt: z.iso.datetime(),
        expiresAt: z.iso.datetime(),
        answer: invitationAnswer.optional(),
      }),
    ),
  }),
})
