import {
  type AccountOwner,
  decodeOwnerChange,
  type GuardianSet,
  type GuardianSignature,
  type OwnerChange,
  toGuardianSet,
  toModuleOwner,
  toOwner,
} from '@lanyard/accounts'
import { getAddress, type Hex, isAddress, isHex } from 'viem'
import { z } from 'zod'
import { RecoveryError } from '../recovery-error.ts'

/** A change that an owner signed once for all networks. */
export interface SignedChange {
  readonly sequence: bigint
  readonly change: OwnerChange
  readonly signature: Hex
}

/** A recovery with the signatures of its guardians. */
export interface SignedRecovery {
  readonly sequence: bigint
  /** A higher number replaces what a lower one started. */
  readonly number: bigint
  readonly newOwners: readonly AccountOwner[]
  readonly guardians: GuardianSet
  readonly signatures: readonly GuardianSignature[]
}

/** What was signed elsewhere, and can be sent by anyone. */
export interface SignedMessages {
  /** In ascending order of sequences. */
  readonly changes: readonly SignedChange[]
  readonly recovery?: SignedRecovery
}

const address = z
  .string()
  .refine((text) => isAddress(text, { strict: false }), 'Expected an address')
  .transform((text) => getAddress(text))
const hex = z.custom<Hex>((value) => isHex(value), 'Expected 0x and hex digits')
const sequence = z
  .string()
  .regex(/^\d{1,20}$/, 'Expected a decimal string')
  .transform((text) => BigInt(text))
const namedOwner = z
  .union([z.object({ address }), z.object({ x: hex, y: hex, verifiers: hex.optional() })])
  .transform((named): AccountOwner => toOwner(named))
const change = z.object({ sequence, kind: hex, data: hex, signature: hex })
const recovery = z.object({
  sequence,
  number: sequence,
  newOwners: z.array(namedOwner).min(1).max(16),
  guardians: z.object({ members: z.array(address), threshold: z.int(), delay: z.int() }),
  signatures: z.array(z.object({ guardian: address, signature: hex })),
})
/** Members of the service's answers that are not needed are allowed. */
const messages = z.union([
  z.object({ changes: z.array(change) }),
  recovery.transform((signed) => ({ recovery: signed })),
  change.transform((signed) => ({ changes: [signed] })),
])

/**
 * Reads what was signed: a change or a list of them, as `GET /smart-account/ownership` returns it, or a recovery. Each
 * change must be encoded as it was signed.
 *
 * @throws RecoveryError NOT_SIGNED_MESSAGES
 */
export function readSignedMessages(text: string): SignedMessages {
  try {
    const read = messages.parse(JSON.parse(text))
    if ('recovery' in read) {
      const { guardians, newOwners, ...rest } = read.recovery
      for (const owner of newOwners) toModuleOwner(owner) // throws for a key that cannot own an account
      return { changes: [], recovery: { ...rest, newOwners, guardians: toGuardianSet(guardians) } }
    }
    const changes = read.changes.map(({ kind, data, ...rest }) => ({
      ...rest,
      change: decodeOwnerChange({ kind, data }),
    }))
    return { changes: changes.toSorted((a, b) => (a.sequence < b.sequence ? -1 : 1)) }
  } catch (cause) {
    throw new RecoveryError(
      'NOT_SIGNED_MESSAGES',
      'This is neither a signed owner change nor a recovery with its signatures.',
      { cause },
    )
  }
}
