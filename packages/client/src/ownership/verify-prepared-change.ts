import { type OwnerChange, type OwnershipContext, verifyOwnerChange } from '@lanyard/accounts'
import {
  type EndpointArguments,
  type EndpointInput,
  type EndpointOutput,
  type endpoints,
  prepareOwnershipChange,
} from '@lanyard/contracts'
import type { Hash } from 'viem'
import { BuildVerificationError } from '../verification-error.ts'
import { toAccountOwner } from './to-account-owner.ts'

/** The request to `ownership.prepare`. */
export type OwnerChangeRequest = EndpointInput<typeof endpoints.ownership.prepare>

export interface VerifyPreparedChangeParameters {
  /** The answer of `ownership.prepare`. None of it is trusted. */
  readonly prepared: EndpointOutput<typeof endpoints.ownership.prepare>
  readonly request: Pick<OwnerChangeRequest, 'change'>
  /** Account, module and sequence as read from a network (`stateOf`), or remembered; never from the answer itself. */
  readonly context: OwnershipContext
}

/**
 * Recomputes what an owner would sign from the plain request. Call it before signing: the message has no expiry and
 * holds on every network.
 *
 * @returns the hash to sign
 * @throws BuildVerificationError naming the first field that does not match the request
 */
export function verifyPreparedChange({ prepared, request, context }: VerifyPreparedChangeParameters): Hash {
  const { change } = prepareOwnershipChange.body.pick({ change: true }).parse(request)
  requireModule(prepared, context)
  const { kind, data, messageToSign } = prepared
  const result = verifyOwnerChange(
    { sequence: BigInt(prepared.sequence), kind, data, messageToSign },
    toOwnerChange(change),
    context,
  )
  if (result.ok) return result.hash
  const fields = { OTHER_CHANGE: 'data', OTHER_SEQUENCE: 'sequence', OTHER_HASH: 'messageToSign' } as const
  throw new BuildVerificationError(fields[result.code], result.message)
}

/** @throws BuildVerificationError */
export function requireModule({ module }: { readonly module: string }, context: OwnershipContext): void {
  if (module.toLowerCase() === context.module.toLowerCase()) return
  throw new BuildVerificationError('module', 'the message is for another contract')
}

function toOwnerChange(change: EndpointArguments<typeof endpoints.ownership.prepare>['change']): OwnerChange {
  switch (change.kind) {
    case 'addOwner':
    case 'removeOwner':
      return { kind: change.kind, owner: toAccountOwner(change.owner) }
    case 'replaceOwner':
      return { kind: change.kind, old: toAccountOwner(change.old), added: toAccountOwner(change.added) }
    default:
      return change
  }
}
