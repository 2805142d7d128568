import { approvalFunctions, batchFunctions } from '@lanyard/onchain'
import { type Hex, toFunctionSelector, zeroAddress } from 'viem'
import type { SessionRule } from '../session/session.ts'
import type { CompiledPart } from './compile-allowances.ts'
import { functionSelector } from './function-selector.ts'
import type { ContractCall, Permission } from './permission.ts'
import type { Problems } from './problems.ts'

/**
 * Functions that no rule of kind `call` may name. The contract rejects the same functions: both lists have
 * one source.
 */
export const rejectedSelectors: ReadonlySet<string> = new Set(
  [approvalFunctions, batchFunctions].flatMap(Object.values).flat().map(toFunctionSelector),
)

/**
 * One rule per function. A token with an allowance cannot be the target, because the amounts would not count.
 * Value requires the native allowance, which bounds its sum.
 */
export function compileContractCall(
  permission: ContractCall,
  path: string,
  permissions: readonly Permission[],
  problems: Problems,
): CompiledPart {
  const target = problems.address(permission.target, `${path}.target`)
  const maxValue =
    permission.maxValue === undefined || permission.maxValue === '0'
      ? 0n
      : problems.amount(permission.maxValue, 96, `${path}.maxValue`)
  if (maxValue > 0n && !permissions.some((other) => other?.type === 'native-token-allowance'))
    problems.add(
      `${path}.maxValue`,
      'Needs a native-token-allowance, which limits the sum. With an empty `to` it allows no payments.',
    )
  if (permissions.some((other) => isAllowanceOf(other, permission)))
    problems.add(`${path}.target`, 'This token has an allowance, and its calls must count against that.')
  const selectors = selectorsOf(permission, path, problems)
  return { rules: selectors.map((selector) => ruleFor(target, selector, maxValue)), allowances: [] }
}

function selectorsOf({ functions }: ContractCall, path: string, problems: Problems): Hex[] {
  if (!Array.isArray(functions) || functions.length === 0) {
    problems.add(`${path}.functions`, 'Expected the functions that may be called.')
    return []
  }
  const selectors = new Set<Hex>()
  functions.forEach((text, index) => {
    const at = `${path}.functions[${index}]`
    const selector = functionSelector(String(text))
    if (selector === undefined)
      problems.add(at, 'Expected a signature such as transfer(address,uint256), or a selector of 4 bytes.')
    else if (rejectedSelectors.has(selector))
      problems.add(
        at,
        'Gives power over tokens, or runs calls that no permission sees. Approvals need an erc20-token-allowance that names the spender.',
      )
    else selectors.add(selector)
  })
  return [...selectors]
}

function isAllowanceOf(other: Permission, { target }: ContractCall): boolean {
  return (
    other?.type === 'erc20-token-allowance' &&
    String(other.token).toLowerCase() === String(target).toLowerCase()
  )
}

function ruleFor(target: SessionRule['target'], selector: Hex, maxValue: bigint): SessionRule {
  return { kind: 'call', target, selector, counterparty: zeroAddress, maxValue }
}
