import type { OrderSigner } from '@lanyard/smart-balance'
import { type PasskeySigner, toPasskeyKey } from '../../accounts/owners/passkey-signers.ts'
import type { OrderSignerCandidate } from './order-signer.ts'

/** A passkey that owns the account on a network, with its key as SmartBalance pins it. */
export interface PasskeyCandidate extends OrderSignerCandidate {
  readonly key: OrderSigner
  readonly signer: PasskeySigner
}

/**
 * Passkeys as signers of an order. An order that names no signer is for the first one: the passkey that the
 * account was created with, which is pinned first, if it still owns the account.
 *
 * @returns undefined when there are no passkeys
 */
export function toOrderCandidates(
  signers: readonly PasskeySigner[],
): readonly [PasskeyCandidate, ...PasskeyCandidate[]] | undefined {
  const [first, ...others] = signers
    .toSorted((a, b) => Number(b.credential.first_owner) - Number(a.credential.first_owner))
    .map((signer) => ({ key: { kind: 'passkey', ...toPasskeyKey(signer.credential) } as const, signer }))
  return first && [first, ...others]
}
