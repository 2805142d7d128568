import {
  AccountsError,
  encodeOwnerChange,
  type GuardianSet,
  type OwnerChange,
  toOwner,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { onEachNetwork } from '../../accounts/owners/read-owners.ts'
import { readOwnership } from './read-ownership.ts'
import { listSignedChanges } from './signed-change.ts'

/** An owner as the interface names it. */
type NamedOwner =
  | { readonly address: Address }
  | { readonly x: string; readonly y: string; readonly verifiers?: string | undefined }

/** A change as the interface names it. */
type RequestedChange =
  | { readonly kind: 'addOwner' | 'removeOwner'; readonly owner: NamedOwner }
  | { readonly kind: 'replaceOwner'; readonly old: NamedOwner; readonly added: NamedOwner }
  | { readonly kind: 'setGuardians'; readonly guardians: GuardianSet }
  | { readonly kind: 'revokeSessions' | 'cancel' }

/**
 * Converts a change, and checks that it can be encoded.
 *
 * @throws INVALID_INPUT for a point off the curve, or guardians outside the bounds
 */
export function toOwnerChange(wanted: RequestedChange): OwnerChange {
  const change = convert(wanted)
  asInvalidInput('change', () => encodeOwnerChange(change))
  return change
}

function convert(wanted: RequestedChange): OwnerChange {
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

/** Turns what the encoding refuses into INVALID_INPUT at `path`. */
export function asInvalidInput<T>(path: string, encode: () => T): T {
  try {
    return encode()
  } catch (error) {
    if (!(error instanceof AccountsError)) throw error
    throw new LanyardError('INVALID_INPUT', { issues: [{ path, message: error.message }] })
  }
}

/**
 * The sequence of the next change: after all that are signed, and after what any network has consumed.
 *
 * @throws NETWORK_UNAVAILABLE if no network answers
 */
export async function nextSequence(
  { database, networks }: { readonly database: Kysely<Database>; readonly networks: Networks },
  module: Address,
  wallet: Wallet,
): Promise<bigint> {
  const answers = await onEachNetwork(networks, async (network) =>
    network.config.ownership === module ? readOwnership(network, module, wallet) : undefined,
  )
  const consumed = answers.flatMap((answer) => (answer && 'sequence' in answer ? [answer.sequence] : []))
  if (consumed.length === 0) throw new LanyardError('NETWORK_UNAVAILABLE')
  const signed = (await listSignedChanges(database, wallet.address)).map(({ sequence }) => sequence + 1n)
  return [...consumed, ...signed].reduce((a, b) => (a > b ? a : b))
}
