import { decodeOwnerChange, type GuardianSet } from '@lanyard/accounts'
import { type Hex, keccak256 } from 'viem'
import { tryDecode } from '../calls/try-decode.ts'
import { mostCommon } from './guardian.ts'
import type { OwnershipStatus, SignedChange } from './use-ownership.ts'

/** The guardians that a signed change names. Undefined for a change of another kind. */
export function guardiansOf({ kind, data }: Pick<SignedChange, 'kind' | 'data'>): GuardianSet | undefined {
  // The schema has `string` where viem has a template literal.
  const change = tryDecode(() => decodeOwnerChange({ kind: kind as Hex, data: data as Hex }))
  return change?.kind === 'setGuardians' ? change.guardians : undefined
}

/** The guardians of an account, as far as this service knows them. */
export interface GuardiansInForce {
  /** Undefined: there are none anywhere. Where networks differ, those of most networks. */
  readonly guardians: GuardianSet | 'unknown' | undefined
  /** What those networks keep of them. */
  readonly hash: string | undefined
  /** Networks on which they are in force. */
  readonly chainIds: readonly number[]
}

/** A network keeps only the hash of its guardians: the signed changes say who they are. */
export function guardiansInForce({ networks, changes }: OwnershipStatus): GuardiansInForce {
  const hash = mostCommon(networks.flatMap(({ guardians }) => guardians ?? []))
  if (hash === undefined) return { guardians: undefined, hash, chainIds: [] }
  const change = changes.find(
    ({ kind, data }) => guardiansOf({ kind, data }) && keccak256(data as Hex) === hash,
  )
  return {
    hash,
    guardians: (change && guardiansOf(change)) ?? 'unknown',
    chainIds: networks.filter(({ guardians }) => guardians === hash).map(({ network }) => network),
  }
}
