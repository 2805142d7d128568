import { type Address, type Hex, toFunctionSelector, zeroAddress } from 'viem'
import type { Session, SessionAllowance, SessionRule } from '../session/session.ts'
import {
  defaultOperations,
  type Erc20TokenAllowance,
  type NativeTokenAllowance,
  type Permission,
} from './permission.ts'
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

/** The result of compiling one permission. */
export interface CompiledPart {
  readonly rules: readonly SessionRule[]
  readonly allowances: readonly SessionAllowance[]
}

const transfer = toFunctionSelector('transfer(address,uint256)')
const approve = toFunctionSelector('approve(address,uint256)')
const noSelector: Hex = '0x00000000'
const maxUint96 = 2n ** 96n - 1n

/** Plain payments. The allowance bounds the sum of payments and of the values of calls. */
export function compileNativeAllowance(
  permission: NativeTokenAllowance,
  path: string,
  problems: Problems,
): CompiledPart {
  const amount = problems.amount(permission.allowance, 128, `${path}.allowance`)
  const to = permission.to === undefined ? [zeroAddress] : problems.addresses(permission.to, `${path}.to`)
  const maxValue = amount > maxUint96 ? maxUint96 : amount
  return {
    rules: to.map((target) => ({
      kind: 'native',
      target,
      selector: noSelector,
      counterparty: zeroAddress,
      maxValue,
    })),
    allowances: [{ token: zeroAddress, amount, period: periodOf(permission, path, problems) }],
  }
}

/** Transfers; approvals too if the spender is named, because they count in full. */
export function compileErc20Allowance(
  permission: Erc20TokenAllowance,
  path: string,
  problems: Problems,
): CompiledPart {
  const amount = problems.amount(permission.allowance, 128, `${path}.allowance`)
  const token = problems.address(permission.token, `${path}.token`)
  const { to } = permission
  const rule = (selector: Hex, counterparty: SessionRule['counterparty']): SessionRule => ({
    kind: 'token',
    target: token,
    selector,
    counterparty,
    maxValue: 0n,
  })
  const named = to === undefined ? [] : problems.addresses(to, `${path}.to`)
  if (to !== undefined && to.length === 0)
    problems.add(`${path}.to`, '`to` is empty; leave it out to allow anyone.')
  return {
    rules:
      to === undefined
        ? [rule(transfer, zeroAddress)]
        : named.flatMap((address) => [rule(transfer, address), rule(approve, address)]),
    allowances: [{ token, amount, period: periodOf(permission, path, problems) }],
  }
}

function periodOf({ period }: { period?: number }, path: string, problems: Problems): number {
  return period === undefined ? 0 : problems.count(period, 48, `${path}.period`)
}
