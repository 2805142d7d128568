import { z } from 'zod'
import { addressOutput } from '../primitives/address.ts'
import { hexOutput } from '../primitives/hex.ts'

/** A signature of an account over a message. */
export const messageSignature = z
  .object({
    signature: hexOutput.meta({ description: 'The signature for the verifier.' }),
    form: z.enum(['ERC1271', 'ERC6492', 'EOA']).meta({
      description:
        '`ERC6492` while the account is not deployed. Contracts that support only ERC-1271 reject it. `EOA`: an EOA that is the account itself, and has no code on the network.',
    }),
    owner: addressOutput.meta({
      description: 'Who signed: an EOA, or the contract that verifies a passkey.',
    }),
  })
  .meta({ id: 'MessageSignature' })
