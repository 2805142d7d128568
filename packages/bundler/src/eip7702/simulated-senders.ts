import {
  delegatedDeployment,
  encodeDesignator,
  isDelegationInitCode,
  type SignedUserOperation,
} from '@lanyard/accounts'
import type { StateOverride } from 'viem'

/**
 * The sender runs its delegate's code before its authorisation exists. The simulator then measures the operation of a
 * sender with code: for EntryPoint v0.8 the marker changes only the hash, which stub signatures do not depend on.
 */
export const codeOfSender = ({ initCode, authorization }: SignedUserOperation) =>
  authorization || isDelegationInitCode(initCode)
    ? { code: encodeDesignator(authorization?.address ?? delegatedDeployment.delegate) }
    : {}

export const withoutMarker = (operation: SignedUserOperation): SignedUserOperation =>
  isDelegationInitCode(operation.initCode) ? { ...operation, initCode: '0x' } : operation

/** What the authorisations of a transaction do before its call runs. */
export function codeOfSenders(operations: readonly SignedUserOperation[]): { stateOverride?: StateOverride } {
  const stateOverride = operations.flatMap(({ sender, authorization }) =>
    authorization ? [{ address: sender, code: encodeDesignator(authorization.address) }] : [],
  )
  return stateOverride.length > 0 ? { stateOverride } : {}
}
