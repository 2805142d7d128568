import { toWireUserOperation, type UserOperation } from '@lanyard/accounts'

/**
 * A built operation as the interface writes it: nine strings. What the caller brought as paymasterData is not
 * repeated: a tenth field says that the service filled it.
 */
export function toUserOp(operation: UserOperation) {
  const { paymasterAndData: _brought, ...wire } = toWireUserOperation({
    ...operation,
    paymasterAndData: '0x',
  })
  const { sender, initCode, callData } = operation
  return { ...wire, sender, initCode, callData }
}
