import { toWireUserOperation } from '@lanyard/accounts'
import type { BuiltOperation } from './build-request.ts'

/**
 * A built operation as the interface writes it: nine strings. What the caller brought as paymasterData is not
 * repeated: a tenth field says that the service filled it.
 */
export function toUserOp({ operation, filledByService }: BuiltOperation) {
  const { sender, initCode, callData, paymasterAndData } = operation
  const { paymasterAndData: _brought, ...wire } = toWireUserOperation({
    ...operation,
    paymasterAndData: '0x',
  })
  return { ...wire, sender, initCode, callData, ...(filledByService && { paymasterAndData }) }
}

/** The bounds of an operation's validity in an answer: only those that bind. */
export const toValidity = ({ validAfter, validUntil }: BuiltOperation) => ({
  ...(validAfter !== 0 && { validAfter: String(validAfter) }),
  ...(validUntil !== 0 && { validUntil: String(validUntil) }),
})
