import { type Address, zeroAddress } from 'viem'
import type { Session } from '../session/session.ts'
import { compileErc20Allowance, compileFees, compileNativeAllowance } from './compile-allowances.ts'
import { compileContractCall } from './compile-contract-call.ts'
import type { Permission } from './permission.ts'
import { type PermissionProblem, Problems } from './problems.ts'

export type CompilePermissionsResult =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly problems: readonly PermissionProblem[] }

export interface CompilePermissionsOptions {
  /** Unix seconds, inclusive. */
  readonly validAfter: number
  /** Unix seconds, inclusive. */
  readonly validUntil: number
  /** The paymaster that the session's operations may name. */
  readonly paymaster?: Address
  /**
   * Contracts that no session may call: `forbiddenTargets`. The contract rejects them in any case, and so
   * addresses below 0x10000, which need not be listed.
   */
  readonly forbidden?: readonly Address[]
}

/** The limit of Session.sol. */
const maxRules = 32
const maxAllowances = 16

/** LOWEST_TARGET of ForbiddenTargets.sol: below it are the precompiles and the system contracts of rollups. */
const lowestTarget = 0x10000n

/**
 * Compiles `permissions` to a session, which refuses everything that they do not allow. Permissions are
 * external input, so every member is checked, and every problem is reported with its path.
 */
export function compilePermissions(
  permissions: readonly Permission[],
  { validAfter, validUntil, paymaster = zeroAddress, forbidden = [] }: CompilePermissionsOptions,
): CompilePermissionsResult {
  const problems = new Problems()
  if (!Array.isArray(permissions) || permissions.length === 0)
    return reject('permissions', 'A session without permissions could do nothing. Name what it may do.')
  const names = permissions.reduce((sum, permission) => sum + namesIn(permission), 0)
  if (names > maxRules)
    return reject(
      'permissions',
      `These permissions name ${names} functions and addresses, but a session has at most ${maxRules} rules.`,
    )
  problems.count(validUntil, 48, 'validUntil')
  if (!Number.isSafeInteger(validAfter) || validAfter < 0 || validAfter >= validUntil)
    problems.add('validAfter', 'Expected Unix seconds before validUntil.')
  rejectRepetitions(permissions, problems)

  const at = (index: number) => `permissions[${index}]`
  const parts = permissions.map((permission, index) => {
    switch (permission?.type) {
      case 'native-token-allowance':
        return compileNativeAllowance(permission, at(index), problems)
      case 'erc20-token-allowance':
        return compileErc20Allowance(permission, at(index), problems)
      case 'contract-call':
        return compileContractCall(permission, at(index), permissions, problems)
      case 'gas-fee-allowance':
        return { rules: [], allowances: [] }
      default:
        problems.add(`${at(index)}.type`, 'Expected a known type of permission.')
        return { rules: [], allowances: [] }
    }
  })
  const rules = parts.flatMap((part) => part.rules)
  const allowances = parts.flatMap((part) => part.allowances)
  const fees = compileFees(permissions, paymaster, problems)

  if (rules.length === 0 && problems.list.length === 0)
    problems.add('permissions', 'None of these permissions allows a call.')
  if (rules.length > maxRules)
    problems.add(
      'permissions',
      `These permissions make ${rules.length} rules, but a session has at most ${maxRules}.`,
    )
  if (allowances.length > maxAllowances)
    problems.add('permissions', `A session has at most ${maxAllowances} allowances.`)
  parts.forEach((part, index) => {
    for (const { target } of part.rules) {
      // A target of zero means anyone, or stands for an address that is a problem of its own.
      const isReserved = target !== zeroAddress && BigInt(target) < lowestTarget
      const reason = isReserved ? ': addresses below 0x10000 belong to the chain itself' : ''
      if (isReserved || isAmong(target, forbidden)) {
        problems.add(at(index), `No session may call ${target}${reason}.`)
        break
      }
    }
  })
  if (problems.list.length > 0) return { ok: false, problems: problems.list }
  return { ok: true, session: { validAfter, validUntil, paymaster, rules, allowances, ...fees } }
}

/** Each function and each address of `to` makes a rule. Too many are rejected before any is parsed. */
function namesIn(permission: Permission): number {
  switch (permission?.type) {
    case 'native-token-allowance':
    case 'erc20-token-allowance':
      return Array.isArray(permission.to) ? permission.to.length : 0
    case 'contract-call':
      return Array.isArray(permission.functions) ? permission.functions.length : 0
    default:
      return 0
  }
}

/** It would be ambiguous whether two allowances for one thing add up. */
function rejectRepetitions(permissions: readonly Permission[], problems: Problems): void {
  const seen = new Set<string>()
  permissions.forEach((permission, index) => {
    if (permission?.type === 'contract-call') return
    const token = permission?.type === 'erc20-token-allowance' ? String(permission.token).toLowerCase() : ''
    const subject = `${permission?.type} ${token}`
    if (seen.has(subject)) problems.add(`permissions[${index}]`, 'There is already one. State the sum.')
    seen.add(subject)
  })
}

function isAmong(address: Address, addresses: readonly Address[]): boolean {
  return addresses.some((candidate) => candidate.toLowerCase() === address.toLowerCase())
}

function reject(path: string, message: string): CompilePermissionsResult {
  return { ok: false, problems: [{ path, message }] }
}
