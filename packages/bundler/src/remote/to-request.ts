import {
  isDelegationInitCode,
  type SignedUserOperation,
  type UserOperation,
  unpackUserOperation,
} from '@lanyard/accounts'
import { formatUserOperationRequest } from 'viem/account-abstraction'

/** An operation in the JSON of ERC-7769, with `eip7702Auth`, and the factory that it names then: 0x7702. */
export function toRequest(operation: UserOperation | SignedUserOperation): object {
  const request = formatUserOperationRequest(unpackUserOperation(operation))
  return isDelegationInitCode(operation.initCode) ? { ...request, factory: '0x7702' } : request
}
