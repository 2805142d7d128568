import { type Hex, toFunctionSelector, zeroAddress } from 'viem'
import type { SessionAllowance, SessionRule } from '../session/session.ts'
import type { Erc20TokenAllowance, NativeTokenAllowance } from './permission.ts'
import type { Problems } from './problems.ts'

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
