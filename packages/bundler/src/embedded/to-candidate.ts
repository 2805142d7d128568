import type { LanyardError } from '@lanyard/contracts'
import { type Address, size, slice } from 'viem'
import { bundleFees, bytesInBundle, gasInBundle } from '../bundle-gas.ts'
import { entryPointOf } from '../entry-point/entry-point.ts'
import type { EmbeddedContext } from './context.ts'
import { rejectionForDebts } from './debts.ts'
import type { Candidate } from './plan-bundles.ts'
import type { StoredOperation } from './stored-operation.ts'
import type { WaitingOperation } from './waiting-operations.ts'

/** A stored operation as a candidate for a bundle. */
export interface OperationCandidate extends Candidate {
  readonly stored: StoredOperation
  readonly blocked: LanyardError | undefined
}

/**
 * The attributes that decide how an operation shares a bundle.
 *
 * Validation with a third-party paymaster runs the paymaster's own code, which may pass every simulation and
 * revert on chain. Such operations share a bundle only with those of the same paymaster. An operation whose
 * bundle reverted goes alone, so that it cannot harm others again and shows whether it is at fault. So does one
 * whose sender runs foreign code in its validation, and one with an authorisation: the sender can use its nonce up before.
 */
export function toCandidate(
  { network, externalSenders }: Pick<EmbeddedContext, 'network' | 'externalSenders'>,
  stored: StoredOperation &
    Partial<Pick<WaitingOperation, 'reverts' | 'failures' | 'owed' | 'callerLosses' | 'hasPaid' | 'sentBy'>>,
): OperationCandidate {
  const {
    operation,
    signedAt,
    reverts = 0,
    failures = 0,
    owed = 0n,
    callerLosses = 0,
    hasPaid = false,
    sentBy = null,
  } = stored
  const external = externalSenders.partOf(operation.sender)
  const fees = network.lastFees ?? { baseFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const { l1Fee, smartBalance } = network.config
  return {
    stored,
    sender: operation.sender.toLowerCase(),
    entryPoint: entryPointOf(network, operation).toLowerCase(),
    fees: bundleFees(network, operation, fees),
    gas: gasInBundle(operation, l1Fee),
    bytes: bytesInBundle(operation),
    since: signedAt.getTime(),
    group: failures > 0 ? 'has failed' : externalPaymaster(stored, smartBalance),
    alone: reverts > 0 || external !== undefined || operation.authorization !== undefined,
    blocked: rejectionForDebts({ operation, owed, callerLosses, hasPaid, sentBy, external, fees }),
  }
}

/** In lower case. */
function externalPaymaster({ operation }: StoredOperation, own: Address | undefined): string | undefined {
  if (size(operation.paymasterAndData) < 20) return undefined
  const paymaster = slice(operation.paymasterAndData, 0, 20).toLowerCase()
  return paymaster === own?.toLowerCase() ? undefined : paymaster
}
