import { type Address, formatUnits, type Hex, isAddressEqual, toFunctionSelector, zeroAddress } from 'viem'
import type { Session, SessionAllowance, SessionRule } from '../session/session.ts'
import { functionSelector } from './function-selector.ts'
import type { Permission } from './permission.ts'

/** How to write amounts and functions; unknown ones are written as they are on chain. */
export interface DescriptionTerms {
  readonly native: { readonly symbol: string; readonly decimals: number }
  readonly tokens?: readonly {
    readonly address: Address
    readonly symbol: string
    readonly decimals: number
  }[]
  /** Signatures of functions that may occur, e.g. from the requested `permissions`. */
  readonly functions?: readonly string[]
}

const transferFrom = toFunctionSelector('transferFrom(address,address,uint256)')
const approve = toFunctionSelector('approve(address,uint256)')

/**
 * Describes what a session may do in plain words, one sentence per limit: the same for the wallet that asks
 * its owner and for the client that asks the wallet. It describes the session itself, which the owner signs,
 * not the permissions from which it was compiled.
 */
export function describePermissions(session: Session, terms: DescriptionTerms): string[] {
  const signatures = signaturesOf(terms)
  return [
    `From ${time(session.validAfter)} until ${time(session.validUntil)}.`,
    ...session.allowances.map((allowance) => describeAllowance(allowance, session.rules, terms)),
    ...session.rules
      .filter(({ kind }) => kind === 'call')
      .map((rule) => describeCall(rule, signatures.get(rule.selector), session.allowances, terms)),
    describeFees(session, terms),
  ]
}

/** The function signatures in permissions, for {@link DescriptionTerms.functions}. */
export function functionsOf(permissions: readonly Permission[]): string[] {
  return permissions.flatMap((permission) =>
    permission.type === 'contract-call' ? permission.functions.filter((text) => !text.startsWith('0x')) : [],
  )
}

function describeAllowance(
  allowance: SessionAllowance,
  rules: readonly SessionRule[],
  terms: DescriptionTerms,
): string {
  const amount = `${write(allowance.amount, allowance.token, terms)} ${every(allowance.period)}`
  const isNative = isAddressEqual(allowance.token, zeroAddress)
  const own = rules.filter((rule) =>
    isNative ? rule.kind === 'native' : rule.kind === 'token' && isAddressEqual(rule.target, allowance.token),
  )
  const recipients = own
    .filter(({ selector }) => selector !== approve)
    .map((rule) => recipient(rule, allowance, terms))
  const spenders = own.filter(({ selector }) => selector === approve).map(({ counterparty }) => counterparty)
  const ways = [
    ...(recipients.length > 0 ? [`send to ${list(recipients)}`] : []),
    ...(spenders.length > 0 ? [`let ${list(spenders)} take it in the same operation`] : []),
    ...(isNative && rules.some(({ kind, maxValue }) => kind === 'call' && maxValue > 0n)
      ? ['send along with calls']
      : []),
  ]
  return ways.length > 0 ? `Up to ${amount}: ${ways.join(', or ')}.` : `Up to ${amount}, but no rule uses it.`
}

function recipient(rule: SessionRule, { amount }: SessionAllowance, terms: DescriptionTerms): string {
  const address = rule.kind === 'native' ? rule.target : rule.counterparty
  const who = isAddressEqual(address, zeroAddress) ? 'anyone' : address
  const by = rule.selector === transferFrom ? ' by transferFrom' : ''
  const isBounded = rule.kind === 'native' && rule.maxValue < amount
  return `${who}${by}${isBounded ? ` (at most ${write(rule.maxValue, zeroAddress, terms)} per call)` : ''}`
}

/** Signatures by selector; if two share one, the first wins. */
function signaturesOf({ functions = [] }: DescriptionTerms): ReadonlyMap<Hex | undefined, string> {
  return new Map(functions.map((text) => [functionSelector(text), text] as const).reverse())
}

function describeCall(
  rule: SessionRule,
  signature: string | undefined,
  allowances: readonly SessionAllowance[],
  terms: DescriptionTerms,
): string {
  const token = terms.tokens?.find(({ address }) => isAddressEqual(address, rule.target))
  const where = token === undefined ? rule.target : `${token.symbol} (${rule.target})`
  // No allowance limits what such a call moves.
  const isUncounted = !allowances.some((allowance) => isAddressEqual(allowance.token, rule.target))
  const warning = token !== undefined && isUncounted ? ', without a limit on amounts' : ''
  const value =
    rule.maxValue > 0n ? `, sending at most ${write(rule.maxValue, zeroAddress, terms)} per call` : ''
  return `Call ${signature ?? rule.selector} on ${where} with any arguments${value}${warning}.`
}

function describeFees(
  { maxOperations, feePerOperation, paymaster }: Session,
  terms: DescriptionTerms,
): string {
  const count = `At most ${maxOperations} ${maxOperations === 1 ? 'operation' : 'operations'}`
  const total = write(feePerOperation * BigInt(maxOperations), zeroAddress, terms)
  const fees =
    feePerOperation === 0n
      ? 'without fees for the account'
      : `with fees of at most ${write(feePerOperation, zeroAddress, terms)} each, ${total} in total`
  const sponsor = isAddressEqual(paymaster, zeroAddress) ? '' : `; ${paymaster} may pay instead`
  return `${count}, ${fees}${sponsor}.`
}

function write(amount: bigint, token: Address, { native, tokens = [] }: DescriptionTerms): string {
  if (isAddressEqual(token, zeroAddress)) return `${formatUnits(amount, native.decimals)} ${native.symbol}`
  const known = tokens.find(({ address }) => isAddressEqual(address, token))
  return known === undefined
    ? `${amount} base units of ${token}`
    : `${formatUnits(amount, known.decimals)} ${known.symbol}`
}

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

function every(period: number): string {
  if (period === 0) return 'in total'
  const [seconds, name] = units.find(([length]) => period % length === 0) ?? units[3]
  const count = period / seconds
  return count === 1 ? `every ${name}` : `every ${count} ${name}s`
}

/** ISO 8601, since this package does not know its reader's language and time zone. */
function time(seconds: number): string {
  // Dates end in the year 275760; a later uint48 is forever.
  return seconds > 8_640_000_000_000 ? 'forever' : new Date(seconds * 1_000).toISOString().replace('.000', '')
}

function list(parts: readonly string[]): string {
  return [...new Set(parts)].join(', ')
}
