import { type Address, zeroAddress } from 'viem'
import type { Session } from '../session/session.ts'
import { defaultOperations, type Permission } from './permission.ts'
import type { Problems } from './problems.ts'

/**
 * Divides the fee allowance into equal shares. Validation only reads, so it cannot sum up fees; the contract
 * bounds the fee of each operation and the number of operations.
 */
export function compileFees(
  permissions: readonly Permission[],
  paymaster: Address,
  problems: Problems,
): Pick<Session, 'maxOperations' | 'feePerOperation'> {
  const index = permissions.findIndex((permission) => permission?.type === 'gas-fee-allowance')
  const permission = permissions[index]
  if (permission?.type !== 'gas-fee-allowance') {
    if (paymaster === zeroAddress)
      problems.add('permissions', 'Somebody must pay fees: add a gas-fee-allowance, or name a paymaster.')
    return { maxOperations: defaultOperations, feePerOperation: 0n }
  }
  const path = `permissions[${index}]`
  const { operations } = permission
  const maxOperations =
    operations === undefined ? defaultOperations : problems.count(operations, 32, `${path}.operations`)
  const allowance = problems.amount(permission.allowance, 128, `${path}.allowance`)
  const feePerOperation = maxOperations === 0 ? 0n : allowance / BigInt(maxOperations)
  if (allowance > 0n && maxOperations > 0 && feePerOperation === 0n)
    problems.add(`${path}.allowance`, `Leaves nothing for each of ${maxOperations} operations.`)
  if (feePerOperation >> 96n !== 0n)
    problems.add(`${path}.allowance`, 'Expected less than 2^96 wei for each operation.')
  return { maxOperations, feePerOperation }
}
