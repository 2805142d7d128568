import { LanyardError } from '@lanyard/contracts'
import type { Caller } from '../../domain/accounts/callers/caller.ts'
import type { ReservedSpace, StoredKind } from '../../platform/load/meter.ts'
import type { Allowances, Holder } from './allowances.ts'

type Kind = StoredKind | 'answers'

interface Quota {
  /** Maximum of bytes that one address has stored at a time. */
  readonly bytes: number
  /** Milliseconds for which they are stored; for what is kept forever, the time in which as much may be added again. */
  readonly lifetime: number
  readonly message: string
}

const minute = 60_000
const day = 24 * 60 * minute

/** Builds expire after ten minutes and are deleted ten minutes later (`operations/track/purge.ts`), by a pass of a minute. */
const buildLifetime = 21 * minute

const quotasOf = (env: { readonly RATE_LIMIT_BUILD_BYTES: number }): Readonly<Record<Kind, Quota>> => ({
  answers: {
    bytes: 128 * 1024 * 1024,
    lifetime: day,
    message: 'The answers that are kept for your Idempotency-Keys take too much space. Send none, or wait.',
  },
  accounts: {
    bytes: 64 * 1024 * 1024,
    lifetime: day,
    message: 'Too many new accounts were created from your network today. Wait.',
  },
  signed: {
    bytes: 64 * 1024 * 1024,
    lifetime: day,
    message:
      'Operations that you have signed and that were never included, and what owners and guardians signed, take too much space. Wait, and send operations that their accounts can pay for.',
  },
  builds: {
    bytes: env.RATE_LIMIT_BUILD_BYTES,
    lifetime: buildLifetime,
    message:
      'Your builds take too much space until they expire. Wait, or build operations with less call data.',
  },
})

interface QuotaHolder extends Pick<Holder, 'name'> {
  readonly kind: 'address' | 'key' | 'network'
}

interface Dependencies {
  readonly env: { readonly RATE_LIMIT_BUILD_BYTES: number }
  readonly space: Allowances
  readonly holdersOf: (caller: Caller) => readonly QuotaHolder[]
  /** How much more than an address a holder may have stored. */
  readonly factors: Readonly<Record<QuotaHolder['kind'], number>>
  readonly onRefused: (kind: QuotaHolder['kind']) => void
}

/**
 * Space for what callers have stored. A quota is an allowance of bytes that drains within the lifetime of what is
 * stored: half of it may be used at once, and the other half is refilled until the first bytes are deleted.
 *
 * @returns a function that reserves space. It throws RATE_LIMITED when there is none
 */
export function createStorageQuotas({ env, space, holdersOf, factors, onRefused }: Dependencies) {
  const quotas = quotasOf(env)
  return (kind: Kind, caller: Caller, bytes: number): ReservedSpace => {
    const { bytes: most, lifetime, message } = quotas[kind]
    const size = most / 2
    const holders = holdersOf(caller).map((holder) => ({
      kind: holder.kind,
      name: `${kind}:${holder.name}`,
      allowance: { size: size * factors[holder.kind], refill: (size * factors[holder.kind]) / lifetime },
    }))
    const taken = space.take(holders, bytes)
    if ('settle' in taken) return { charge: taken.settle, release: () => taken.settle(0) }
    onRefused(taken.holder.kind)
    throw new LanyardError('RATE_LIMITED', {
      message,
      details: { retryAfter: Math.max(1, Math.ceil(taken.wait / 1000)) },
    })
  }
}
