import { type RecoveryContext, verifyRecovery } from '@lanyard/accounts'
import { type EndpointInput, type EndpointOutput, type endpoints, prepareRecovery } from '@lanyard/contracts'
import { type Hash, hashTypedData } from 'viem'
import { BuildVerificationError } from '../verification-error.ts'
import { toAccountOwner } from './to-account-owner.ts'
import { requireModule } from './verify-prepared-change.ts'

/** The request to `recovery.prepare`. */
export type RecoveryRequest = EndpointInput<typeof endpoints.recovery.prepare>

export interface VerifyPreparedRecoveryParameters {
  /** The answer of `recovery.prepare`. None of it is trusted. */
  readonly prepared: EndpointOutput<typeof endpoints.recovery.prepare>
  /** The new owners as the person who lost the account named them, by another channel. */
  readonly request: Pick<RecoveryRequest, 'newOwners'>
  /**
   * Account, module, sequence and one above the highest number as read from the networks (`stateOf`), or remembered; never
   * from the answer itself.
   */
  readonly context: RecoveryContext
}

/**
 * Recomputes what a guardian would sign from the plain request, and that the typed data is the same. Call it before
 * signing: the message has no expiry and holds on every network.
 *
 * @returns the hash to sign
 * @throws BuildVerificationError naming the first field that does not match the request
 */
export function verifyPreparedRecovery({
  prepared,
  request,
  context,
}: VerifyPreparedRecoveryParameters): Hash {
  const { newOwners } = prepareRecovery.body.pick({ newOwners: true }).parse(request)
  requireModule(prepared, context)
  const { messageToSign, typedData } = prepared
  const result = verifyRecovery(
    {
      ...{ sequence: BigInt(prepared.sequence), number: BigInt(prepared.number), messageToSign },
      newOwners: prepared.newOwners.map(toAccountOwner),
    },
    newOwners.map(toAccountOwner),
    context,
  )
  if (!result.ok) {
    const fields = {
      OTHER_OWNERS: 'newOwners',
      OTHER_SEQUENCE: 'sequence',
      OTHER_NUMBER: 'number',
      OTHER_HASH: 'messageToSign',
    } as const
    throw new BuildVerificationError(fields[result.code], result.message)
  }
  if (hashOf(typedData) !== result.hash) {
    throw new BuildVerificationError('typedData', 'a wallet would sign something else than the recovery')
  }
  return result.hash
}

/** Undefined for what is no typed data. */
function hashOf({
  domain,
  types,
  primaryType,
  message,
}: VerifyPreparedRecoveryParameters['prepared']['typedData']) {
  try {
    const { account, sequence, number, newOwners, newThreshold } = message
    return hashTypedData({
      ...{ domain, types, primaryType },
      message: {
        ...{ account, sequence: BigInt(sequence), number: BigInt(number) },
        ...{ newOwners, newThreshold: BigInt(newThreshold) },
      },
    } as Parameters<typeof hashTypedData>[0]) // the answer's own types, which only the hash confirms
  } catch {
    return undefined
  }
}
