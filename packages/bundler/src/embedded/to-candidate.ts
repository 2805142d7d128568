import type { LanyardError } from '@lanyard/contracts'
import { bundleFees, bytesInBundle, gasInBundle } from '../bundle-gas.ts'
import { entryPointOf } from '../entry-point/entry-point.ts'
import type { EmbeddedContext } from './context.ts'
import { rejectionForDebts } from './debts.ts'
import { type MayRevert, mayRevert } from './may-revert.ts'
import type { Candidate } from './plan-bundles.ts'
import type { StoredOperation } from './stored-operation.ts'
import type { WaitingOperation } from './waiting-operations.ts'

/** A stored operation as a candidate for a bundle. */
export interface OperationCandidate extends Candidate {
  readonly stored: StoredOperation
  readonly blocked: LanyardError | undefined
  readonly mayRevert: MayRevert | undefined
}

/**
 * The attributes that decide how an operation shares a bundle.
 *
 * One that may revert on chain harms only its like, or goes alone, which also shows whether it is at fault.
 */
export function toCandidate(
  { network, rememberedSenders }: Pick<EmbeddedContext, 'network' | 'rememberedSenders'>,
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
  const external = rememberedSenders.partOf(operation.sender)
  const fees = network.lastFees ?? { baseFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const { l1Fee } = network.config
  const may = mayRevert(network.config, { operation, external, hasPaid, reverts, failures })
  return {
    stored,
    sender: operation.sender.toLowerCase(),
    entryPoint: entryPointOf(network, operation).toLowerCase(),
    fees: bundleFees(network, operation, fees),
    gas: gasInBundle(operation, l1Fee),
    bytes: bytesInBundle(operation),
    since: signedAt.getTime(),
    group: may?.group,
    alone: may !== undefined && may.group === undefined,
    mayRevert: may,
    blocked: rejectionForDebts({ operation, owed, callerLosses, hasPaid, sentBy, external, fees }),
  }
}
