import type { GuardianSet } from '@lanyard/accounts'
import type { GuardianOverview } from './guardian.ts'

/** Guardians beside those of most networks: they count on some networks only, or from a later time on. */
export interface OtherGuardians {
  readonly hash: string
  /** Undefined: this service does not know them. */
  readonly guardians: GuardianSet | undefined
  readonly networks: readonly number[]
  /** Unix seconds from which they count; undefined: they count today. */
  readonly from: number | undefined
}

type NamedSet = NonNullable<GuardianOverview['networks'][number]['current']>

/**
 * Finds the guardians whom an owner may not have chosen: a thief who owned the account can set them, on one network or during a
 * recovery.
 *
 * @param inForce - the hash of the guardians of most networks; undefined: there are none
 */
export function otherGuardians(
  { networks }: Pick<GuardianOverview, 'networks'>,
  inForce: string | undefined,
): readonly OtherGuardians[] {
  const found = new Map<string, OtherGuardians>()
  const add = (network: number, set: NamedSet | undefined, from?: number) => {
    if (!set || set.hash === inForce) return
    const key = `${set.hash} ${from === undefined}`
    const known = found.get(key)
    found.set(key, {
      ...{ hash: set.hash, guardians: set.guardians },
      networks: [...(known?.networks ?? []), network],
      from: from === undefined ? undefined : Math.min(from, known?.from ?? from),
    })
  }
  for (const { network, current, next } of networks) {
    add(network, current)
    // The zero hash names none, who can do nothing.
    if (next && BigInt(next.hash) !== 0n) add(network, next, next.from)
  }
  return [...found.values()]
}
