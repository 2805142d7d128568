import {
  type AccountOwner,
  AccountsError,
  defaultVerifiers,
  encodeOwnerChange,
  type GuardianSet,
  type OwnerChange,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Address, Hex } from 'viem'

/** An owner as the interface names it. */
export type NamedOwner =
  | { readonly address: Address }
  | { readonly x: string; readonly y: string; readonly verifiers?: string | undefined }

/** A change as the interface names it. */
export type WantedChange =
  | { readonly kind: 'addOwner' | 'removeOwner'; readonly owner: NamedOwner }
  | { readonly kind: 'replaceOwner'; readonly old: NamedOwner; readonly added: NamedOwner }
  | { readonly kind: 'setGuardians'; readonly guardians: GuardianSet }
  | { readonly kind: 'revokeSessions' | 'cancel' }

/**
 * Converts a change, and checks that it can be encoded.
 *
 * @throws INVALID_INPUT for a point off the curve, or guardians outside the bounds
 */
export function toOwnerChange(wanted: WantedChange): OwnerChange {
  const change = convert(wanted)
  asInvalidInput('change', () => encodeOwnerChange(change))
  return change
}

function convert(wanted: WantedChange): OwnerChange {
  switch (wanted.kind) {
    case 'addOwner':
    case 'removeOwner':
      return { kind: wanted.kind, owner: toOwner(wanted.owner) }
    case 'replaceOwner':
      return { kind: wanted.kind, old: toOwner(wanted.old), added: toOwner(wanted.added) }
    case 'setGuardians':
      return wanted
    default:
      return { kind: wanted.kind }
  }
}

/** An owner as the account functions take it. */
export function toOwner(named: NamedOwner): AccountOwner {
  if ('address' in named) return { kind: 'eoa', address: named.address }
  const { x, y, verifiers } = named
  return {
    kind: 'passkey',
    x: BigInt(x),
    y: BigInt(y),
    verifiers: verifiers === undefined ? defaultVerifiers : BigInt(verifiers as Hex), // hex, by the schema
  }
}

/** Turns what the encoding refuses into INVALID_INPUT at `path`. */
export function asInvalidInput<T>(path: string, encode: () => T): T {
  try {
    return encode()
  } catch (error) {
    if (!(error instanceof AccountsError)) throw error
    throw new LanyardError('INVALID_INPUT', { issues: [{ path, message: error.message }] })
  }
}
