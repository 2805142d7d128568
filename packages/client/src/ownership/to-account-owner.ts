import { type AccountOwner, defaultVerifiers } from '@lanyard/accounts'
import type { EndpointArguments, endpoints } from '@lanyard/contracts'

/** An owner as requests name it. */
export type NamedOwner = EndpointArguments<typeof endpoints.recovery.prepare>['newOwners'][number]

/** Converts an owner to the form that the account functions take. */
export function toAccountOwner(named: NamedOwner): AccountOwner {
  if ('address' in named) return { kind: 'eoa', address: named.address }
  const { x, y, verifiers } = named
  return {
    kind: 'passkey',
    x: BigInt(x),
    y: BigInt(y),
    verifiers: verifiers === undefined ? defaultVerifiers : BigInt(verifiers),
  }
}
