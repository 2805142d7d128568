import { z } from 'zod'
import { addressOutput } from '../primitives/address.ts'

/** The kinds of owners that the service tells apart. */
export const ownerKind = z.enum(['eoa', 'passkey', 'contract'])

/** One owner of an account on one network. */
export const owner = z
  .object({
    address: addressOutput.meta({
      description: "The owner's address in the Safe: for a passkey, its signer contract.",
    }),
    kind: ownerKind.meta({
      description: '`contract`: a contract that is not a known passkey signer.',
    }),
    credentialId: z.string().optional().meta({ description: "Only with the user's own token." }),
    label: z.string().optional().meta({ description: "Only with the user's own token." }),
  })
  .meta({ id: 'Owner' })
