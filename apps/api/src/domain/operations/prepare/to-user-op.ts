import { toWireUserOperation } from '@lanyard/accounts'
import type { BuiltOperation } from './build-request.ts'

/**
 * A built operation as the interface returns it: nine strings. If the caller supplied paymasterAndData, it is
 * not repeated; otherwise, a tenth field shows that the service filled it.
 */
export function toUserOp({ operation, filledByService }: BuiltOperation) {
  const { sender, initCode, callData, paymasterAndData } = operation
  const { paymasterAndData: _brought, ...wire } = toWireUserOperation({
    ...operation,
    paymasterAndData: '0x',
  })
  return { ...wire, sender, initCode, callData, ...(filledByService && { paymasterAndData }) }
}

/** The validity bounds in an answer; bounds of 0 are left out. */
export const toValidity = ({ validAfter, validUntil }: BuiltOperation) => ({
  ...(validAfter !== 0 && { validAfter: String(validAfter) }),
  ...(validUntil !== 0 && { validUntil: String(validUntil) }),
})
