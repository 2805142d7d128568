import { accountTraits, type ForeignPart, type SignedUserOperation } from '@lanyard/accounts'
import type { NetworkConfig } from '@lanyard/networks'
import { hasOwnPaymaster, paymasterOf } from '../own-paymasters.ts'

/**
 * Why an operation that passes its simulation may still make its transaction revert, the first that applies:
 *
 * - Its validation runs code that this service does not know.
 * - Its sender is a delegated EOA, whose owner can exchange the code, or use the authorisation up, at any time.
 * - A transaction with it has reverted.
 * - Operations of its account have failed lately.
 * - A third-party paymaster runs its own code in the validation.
 */
type Cause = 'foreign code' | 'delegated' | 'has reverted' | 'has failed' | 'paymaster'

/**
 * An operation that may revert follows one set of rules: it shares a transaction only with its like, no replacement takes it
 * in, it waits while `unpaidGasPerHour` is used up, and while nothing vouches for it, it waits for the others of its caller.
 */
export interface MayRevert {
  readonly cause: Cause
  /** It shares a transaction with those of the same group; undefined: with none. */
  readonly group: string | undefined
  /** Whether it waits while `unpaidGasPerHour` is used up. Known code lost gas, if at all, because of others. */
  readonly isInBudget: boolean
  /** Whether nothing vouches for it: neither known code, nor the operator, nor what its account has paid. */
  readonly isUnproven: boolean
}

interface Examined {
  readonly operation: Pick<SignedUserOperation, 'entryPoint' | 'signature' | 'paymasterAndData'>
  readonly external: ForeignPart | undefined
  /** Whether its account has paid for an operation itself. */
  readonly hasPaid: boolean
  readonly reverts?: number
  readonly failures?: number
}

/** @returns undefined for an operation that shares transactions with all others */
export function mayRevert(
  config: Pick<NetworkConfig, 'smartBalance' | 'entryPoint'>,
  { operation, external, hasPaid, reverts = 0, failures = 0 }: Examined,
): MayRevert | undefined {
  const alone = { group: undefined, isInBudget: true, isUnproven: false } as const
  if (external) return { ...alone, cause: 'foreign code', isUnproven: true }
  if (accountTraits(operation).ownerReplacesCode)
    return { ...alone, cause: 'delegated', isUnproven: !hasPaid }
  if (reverts > 0) return { ...alone, cause: 'has reverted', isInBudget: false }
  if (failures > 0) return { ...alone, cause: 'has failed', group: 'has failed', isInBudget: false }
  const paymaster = operation.paymasterAndData === '0x' ? undefined : paymasterOf(operation)
  if (paymaster === undefined || hasOwnPaymaster(config, operation)) return undefined
  return { ...alone, cause: 'paymaster', group: paymaster }
}
