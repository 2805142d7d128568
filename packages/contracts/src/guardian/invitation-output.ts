import { z } from 'zod'
import { addressOutput } from '../primitives/address.ts'

/** The secret of an invitation, as its link contains it: 16 bytes in base64url. */
export const invitationToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22}$/, 'Expected 22 characters of base64url')
  .meta({ description: 'The secret of the link.', example: 'AAAAAAAAAAAAAAAAAAAAAA' })

/** Who answered. */
export const invitationAnswer = z.object({
  guardian: addressOutput,
  username: z.string().optional(),
  answeredAt: z.iso.datetime(),
})
