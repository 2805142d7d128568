import { z } from 'zod'
import { guardianSet, namedOwner } from '../ownership/change.ts'

/** The only owners after the recovery. */
export const newOwners = z
  .array(namedOwner)
  .min(1)
  .max(16)
  .meta({
    description: 'The only owners after the recovery.',
    example: [{ address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }],
  })

/** A network stores only the hash of the guardians. */
export const givenGuardians = guardianSet.optional().meta({
  description:
    'The guardians in force. Needed only if this service does not know them (UNKNOWN_GUARDIANS), because they were set without it.',
})

/** The number of a message of guardians. */
export const recoveryNumber = z
  .string()
  .regex(/^\d{1,20}$/, 'Expected a decimal string')
  .meta({ description: 'As prepared: one above the highest of the sequence.', example: '1' })
