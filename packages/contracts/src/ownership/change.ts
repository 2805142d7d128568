import { z } from 'zod'
import { address } from '../primitives/address.ts'
import { type Hex, hash, hex } from '../primitives/hex.ts'

/** The public key of a passkey (P-256). */
export const namedPasskey = z.strictObject({
  x: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'Expected 32 bytes'),
  y: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'Expected 32 bytes'),
  verifiers: z
    .string()
    .regex(/^0x[0-9a-fA-F]{44}$/, 'Expected 22 bytes')
    .optional()
    .meta({ description: 'Default: the precompile, then the verifier of the recovery kit.' }),
})

/** An owner by its key, which is the same on every network. */
export const namedOwner = z
  .union([z.strictObject({ address }), namedPasskey])
  .meta({ description: 'An address, or the public key of a passkey (P-256).' })

/** Shows that an address without code is a key's. */
export const ownerConsent = z
  .string()
  .regex(/^0x[0-9a-fA-F]{130}$/, 'Expected 65 bytes')
  .transform((value) => value as Hex) // the expression above ensures the form
  .optional()
  .meta({
    type: 'string',
    pattern: '^0x[0-9a-fA-F]{130}$',
    description:
      "The address' signature of `ownerConsentText` (EIP-191). Needed for an address that has no code, has sent nothing and owns the account nowhere: it could be a contract that is deployed later.",
  })

/** An owner to add, by its key. */
export const addedOwner = z
  .union([z.strictObject({ address, signature: ownerConsent }), namedPasskey])
  .meta({ description: 'An address, or the public key of a passkey (P-256).' })

export const guardianSet = z
  .strictObject({
    members: z.array(address).max(16),
    threshold: z.int().min(0).max(16).meta({ description: 'How many of them must sign.' }),
    delay: z.int().min(0).max(2_592_000).meta({ description: 'Seconds: 86,400 to 2,592,000.' }),
  })
  .meta({ description: 'Without members, threshold and delay are 0: no guardians.' })

/** What an owner wants to sign for all networks. */
export const requestedChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('addOwner'), owner: addedOwner }),
  z.strictObject({ kind: z.literal('removeOwner'), owner: namedOwner }),
  z.strictObject({ kind: z.literal('replaceOwner'), old: namedOwner, added: addedOwner }),
  z.strictObject({ kind: z.literal('setGuardians'), guardians: guardianSet }),
  z.strictObject({ kind: z.literal('revokeSessions') }),
  z.strictObject({ kind: z.literal('cancel') }),
])

/** The sequence of a change. */
export const sequence = z
  .string()
  .regex(/^\d{1,20}$/, 'Expected a decimal string')
  .meta({ description: 'How many changes the account had before this one.' })

/** At most so many bytes: 16 guardians take 640, a passkey's signature about 700. */
const maxBytes = 4_096
const isShort = (value: string) => value.length <= 2 + 2 * maxBytes

/** Bytes of a change or a signature. */
export const shortHex = hex.refine(isShort, `Longer than ${maxBytes} bytes`)

/** The fields of a signed change, as `prepare` returned them. */
export const changeFields = { kind: hash, data: shortHex } as const
