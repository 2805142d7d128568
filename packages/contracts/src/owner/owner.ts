import { z } from 'zod'
import { addressOutput } from '../primitives/address.ts'

/** One owner of an account on one network. */
export const owner = z
  .object({
    address: addressOutput.meta({
      description: 'The owner as the Safe knows it: for a passkey, its signer contract.',
    }),
    kind: z.enum(['eoa', 'passkey', 'contract']).meta({
      description: '`contract`: a contract that this service does not know as a passkey.',
    }),
    credentialId: z.string().optional().meta({ description: "With the user's own token only." }),
    label: z.string().optional().meta({ description: "With the user's own token only." }),
  })
  .meta({ id: 'Owner' })
