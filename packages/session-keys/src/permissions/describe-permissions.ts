import { type Address, formatUnits, type Hex, isAddressEqual, toFunctionSelector, zeroAddress } from 'viem'
import type { Session, SessionAllowance, SessionRule } from '../session/session.ts'
import { functionSelector } from './function-selector.ts'
import type { Permission } from './permission.ts'

/** Every message of a description. `{names}` stand for values. */
export const descriptionMessages = [
  'From {from} until {until}.',
  'forever',
  'Up to {amount} {period}: {ways}.',
  'Up to {amount} {period}, but no rule uses it.',
  '{way}, or {otherWays}',
  'send to {recipients}',
  'let {spenders} take it in the same operation',
  'send along with calls',
  'anyone',
  '{who} by transferFrom',
  '{who} (at most {amount} per call)',
  'Call {function} on {where} with any arguments{value}{warning}.',
  ', sending at most {amount} per call',
  ', without a limit on amounts',
  'At most {count} operation',
  'At most {count} operations',
  '{operations}, without fees for the account{sponsor}.',
  '{operations}, with fees of at most {each} each, {total} in total{sponsor}.',
  '; {paymaster} may pay instead',
  '{amount} base units of {token}',
  'in total',
  'every day',
  'every hour',
  'every minute',
  'every second',
  'every {count} days',
  'every {count} hours',
  'every {count} minutes',
  'every {count} seconds',
] as const

/** Says a message with its values, in the reader's language. */
export type SayDescription = (
  message: (typeof descriptionMessages)[number],
  values?: Readonly<Record<string, string | number>>,
) => string

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
  /** Default: English. */
  readonly say?: SayDescription
  /** Writes base units. Default: exact, with a decimal point. */
  readonly format?: (amount: bigint, decimals: number) => string
}

const english: SayDescription = (message, values = {}) =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

const transferFrom = toFunctionSelector('transferFrom(address,address,uint256)')
const approve = toFunctionSelector('approve(address,uint256)')

/**
 * Describes what a session may do in plain words, one sentence per limit: the same for the wallet that asks
 * its owner and for the client that asks the wallet. It describes the session itself, which the owner signs,
 * not the permissions from which it was compiled.
 */
export function describePermissions(session: Session, terms: DescriptionTerms): string[] {
  const signatures = signaturesOf(terms)
  const { say = english } = terms
  return [
    say('From {from} until {until}.', {
      from: time(session.validAfter, say),
      until: time(session.validUntil, say),
    }),
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
  const { say = english } = terms
  const amount = write(allowance.amount, allowance.token, terms)
  const period = every(allowance.period, say)
  const isNative = isAddressEqual(allowance.token, zeroAddress)
  const own = rules.filter((rule) =>
    isNative ? rule.kind === 'native' : rule.kind === 'token' && isAddressEqual(rule.target, allowance.token),
  )
  const recipients = own
    .filter(({ selector }) => selector !== approve)
    .map((rule) => recipient(rule, allowance, terms))
  const spenders = own.filter(({ selector }) => selector === approve).map(({ counterparty }) => counterparty)
  const ways = [
    ...(recipients.length > 0 ? [say('send to {recipients}', { recipients: list(recipients) })] : []),
    ...(spenders.length > 0
      ? [say('let {spenders} take it in the same operation', { spenders: list(spenders) })]
      : []),
    ...(isNative && rules.some(({ kind, maxValue }) => kind === 'call' && maxValue > 0n)
      ? [say('send along with calls')]
      : []),
  ]
  return ways.length > 0
    ? say('Up to {amount} {period}: {ways}.', {
        amount,
        period,
        ways: ways.reduceRight((otherWays, way) => say('{way}, or {otherWays}', { way, otherWays })),
      })
    : say('Up to {amount} {period}, but no rule uses it.', { amount, period })
}

function recipient(rule: SessionRule, { amount }: SessionAllowance, terms: DescriptionTerms): string {
  const address = rule.kind === 'native' ? rule.target : rule.counterparty
  const { say = english } = terms
  const named = isAddressEqual(address, zeroAddress) ? say('anyone') : address
  const who = rule.selector === transferFrom ? say('{who} by transferFrom', { who: named }) : named
  const isBounded = rule.kind === 'native' && rule.maxValue < amount
  return isBounded
    ? say('{who} (at most {amount} per call)', { who, amount: write(rule.maxValue, zeroAddress, terms) })
    : who
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
  const { say = english } = terms
  const warning = token !== undefined && isUncounted ? say(', without a limit on amounts') : ''
  const value =
    rule.maxValue > 0n
      ? say(', sending at most {amount} per call', { amount: write(rule.maxValue, zeroAddress, terms) })
      : ''
  return say('Call {function} on {where} with any arguments{value}{warning}.', {
    function: signature ?? rule.selector ?? '',
    where,
    value,
    warning,
  })
}

function describeFees(
  { maxOperations, feePerOperation, paymaster }: Session,
  terms: DescriptionTerms,
): string {
  const { say = english } = terms
  const operations = say(maxOperations === 1 ? 'At most {count} operation' : 'At most {count} operations', {
    count: maxOperations,
  })
  const total = write(feePerOperation * BigInt(maxOperations), zeroAddress, terms)
  const sponsor = isAddressEqual(paymaster, zeroAddress)
    ? ''
    : say('; {paymaster} may pay instead', { paymaster })
  return feePerOperation === 0n
    ? say('{operations}, without fees for the account{sponsor}.', { operations, sponsor })
    : say('{operations}, with fees of at most {each} each, {total} in total{sponsor}.', {
        operations,
        each: write(feePerOperation, zeroAddress, terms),
        total,
        sponsor,
      })
}

function write(
  amount: bigint,
  token: Address,
  { native, tokens = [], say = english, format = formatUnits }: DescriptionTerms,
): string {
  if (isAddressEqual(token, zeroAddress)) return `${format(amount, native.decimals)} ${native.symbol}`
  const known = tokens.find(({ address }) => isAddressEqual(address, token))
  return known === undefined
    ? say('{amount} base units of {token}', { amount: amount.toString(), token })
    : `${format(amount, known.decimals)} ${known.symbol}`
}

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

function every(period: number, say: SayDescription): string {
  if (period === 0) return say('in total')
  const [seconds, name] = units.find(([length]) => period % length === 0) ?? units[3]
  const count = period / seconds
  return count === 1 ? say(`every ${name}`) : say(`every {count} ${name}s`, { count })
}

/** ISO 8601, since this package does not know its reader's language and time zone. */
function time(seconds: number, say: SayDescription): string {
  // Dates end in the year 275760; a later uint48 is forever.
  return seconds > 8_640_000_000_000
    ? say('forever')
    : new Date(seconds * 1_000).toISOString().replace('.000', '')
}

function list(parts: readonly string[]): string {
  return [...new Set(parts)].join(', ')
}
