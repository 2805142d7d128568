import { z } from 'zod'
import { guardianKey } from '../guardian/fields.ts'
import { addedOwner, guardianSet, namedOwner, shortHex } from '../ownership/change.ts'
import { address } from '../primitives/address.ts'
import { network } from '../primitives/network.ts'

/** The only owners after the recovery. */
export const newOwners = z
  .array(namedOwner)
  .min(1)
  .max(16)
  .meta({
    description: 'The only owners after the recovery.',
    example: [{ address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }],
  })

/** The same before guardians sign. */
export const addedOwners = z
  .array(addedOwner)
  .min(1)
  .max(16)
  .meta({ description: 'The only owners after the recovery.' })

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

/** A guardian's signature over a recovery, or over taking recoveries back. */
export const guardianSignature = {
  guardian: address,
  signature: shortHex.meta({
    description:
      '65 bytes of an EOA, or what the contract of the guardian accepts (ERC-1271): `encodePasskeySignature` for a passkey.',
  }),
  network: network.optional().meta({
    description:
      'For a contract: the network on which the signature is valid. Absent: it is checked on each network. The signature of an EOA, and of a passkey, holds on all.',
  }),
  key: guardianKey,
  guardians: givenGuardians,
}
