import { type Currency, nativeOf } from '@lanyard/calls'
import {
  compilePermissions,
  forbiddenTargets,
  type Permission,
  type PermissionProblem,
} from '@lanyard/session-keys'
import { type Address, zeroAddress } from 'viem'
import { parseAmount } from '../amounts/amounts.ts'
import { t } from '../i18n/t.ts'
import { parseAddress } from '../recipients/recipient.ts'
import { parseSessionKey } from './parse-session-key.ts'
import type { GrantRequest } from './plan-grant.ts'
import type { AllowanceDraft, CallDraft, SessionDraft, SessionDraftErrors } from './session-draft.ts'
import type { SessionKeysNetwork } from './use-sessions.ts'

export type ReadSessionDraftResult =
  | { readonly ok: true; readonly request: GrantRequest }
  | { readonly ok: false; readonly errors: SessionDraftErrors }

/** Seconds by which a chain's clock may be behind this one. Here, validAfter only means "from now on". */
export const clockMargin = 60

/**
 * Compiles a draft to a session, or returns its errors by field.
 *
 * @param now - Unix seconds
 */
export function readSessionDraft(
  draft: SessionDraft,
  { account, network, now }: { account: Address; network: SessionKeysNetwork; now: number },
): ReadSessionDraftResult {
  const errors: SessionDraftErrors = {}
  const key = parseSessionKey(draft.key)
  if (!key.ok) errors.key = key.message
  const native = nativeOf(network.currencies)
  const token = network.currencies.find((currency) => currency.token !== undefined)
  const placed: readonly PlacedPermission[] = [
    ...(token?.token && draft.token.wanted
      ? readAllowance('token', draft.token, token.decimals, errors, (allowance) => ({
          type: 'erc20-token-allowance',
          token: token.token ?? zeroAddress,
          ...allowance,
        }))
      : []),
    ...(draft.native.wanted
      ? readAllowance('native', draft.native, native.decimals, errors, (allowance) => ({
          type: 'native-token-allowance',
          ...allowance,
        }))
      : []),
    ...draft.calls.flatMap((call, index) => readCall(`call${index}`, call, native, errors)),
    ...readFees(draft, native, errors),
  ]
  if (placed.every(({ place }) => place === 'fees') && !hasErrors(errors))
    errors.form = t('Choose at least one thing that the key may do.')
  if (!key.ok || hasErrors(errors)) return { ok: false, errors }

  const permissions = placed.map(({ permission }) => permission)
  const compiled = compilePermissions(permissions, {
    validAfter: now - clockMargin,
    validUntil: now + draft.duration,
    forbidden: forbiddenTargets({
      account,
      sessionKeys: network.sessionKeys,
      smartBalance: network.smartBalance?.address ?? zeroAddress,
    }),
  })
  return compiled.ok
    ? { ok: true, request: { key: key.key, permissions, session: compiled.session } }
    : { ok: false, errors: mapErrorsToFields(compiled.problems, placed) }
}

const hasErrors = (errors: SessionDraftErrors) => Object.keys(errors).length > 0

function readFees(
  { fees, operations }: SessionDraft,
  { decimals }: Currency,
  errors: SessionDraftErrors,
): PlacedPermission[] {
  const amount = parseAmount(fees, decimals)
  if (!amount.ok) errors.fees = amount.message
  else if (amount.value === 0n) errors.fees = t('Enter more than zero: each operation has a fee.')
  const count = /^\d{1,7}$/.test(operations.trim()) ? Number(operations) : 0
  if (count === 0) errors.operations = t('Enter a whole number from 1 on.')
  if (!amount.ok || errors.fees || errors.operations) return []
  const permission = {
    type: 'gas-fee-allowance',
    allowance: amount.value.toString(),
    operations: count,
  } as const
  return [{ place: 'fees', permission }]
}

/** Reads a contract call of the draft, whose value is in the native currency. If it is invalid, returns nothing and adds to `errors`. */
function readCall(
  place: `call${number}`,
  { target, functions, maxValue }: CallDraft,
  { decimals }: Currency,
  errors: SessionDraftErrors,
): PlacedPermission[] {
  const contract = parseAddress(target)
  if (!contract.ok)
    errors[`${place}.target`] = target.trim() === '' ? t('Enter the contract’s address.') : contract.message
  const names = functions
    .split(/[\n;]/)
    .map((line) => line.trim().replace(/^function\s+/, ''))
    .filter((line) => line !== '')
  if (names.length === 0)
    errors[`${place}.functions`] = t('Name at least one function, such as mint(address,uint256).')
  const value = parseAmount(maxValue.trim() === '' ? '0' : maxValue, decimals)
  if (!value.ok) errors[`${place}.maxValue`] = value.message
  if (!contract.ok || names.length === 0 || !value.ok) return []
  return [
    {
      place,
      permission: {
        type: 'contract-call',
        target: contract.address,
        functions: names,
        ...(value.value > 0n && { maxValue: value.value.toString() }),
      },
    },
  ]
}

/** Assigns each problem reported by the compiler to its form field. */
function mapErrorsToFields(
  problems: readonly PermissionProblem[],
  placed: readonly PlacedPermission[],
): SessionDraftErrors {
  const errors: SessionDraftErrors = {}
  for (const problem of problems) errors[fieldOf(problem.path, placed)] ??= describePermissionProblem(problem)
  return errors
}

/** `permissions[1].functions[0]` belongs to the second permission. */
function fieldOf(path: string, placed: readonly PlacedPermission[]): keyof SessionDraftErrors {
  const [, index, member = ''] = /^permissions\[(\d+)\](?:\.(\w+))?/.exec(path) ?? []
  const place = index === undefined ? undefined : placed[Number(index)]?.place
  if (place === undefined) return 'form'
  if (place === 'fees') return member === 'operations' ? 'operations' : 'fees'
  if (place === 'token' || place === 'native')
    return member === 'to' || member === '' ? `${place}.recipients` : `${place}.amount`
  return member === 'functions' || member === 'maxValue' ? `${place}.${member}` : `${place}.target`
}

/** A permission with the form field that it comes from. */
interface PlacedPermission {
  readonly place: 'token' | 'native' | `call${number}` | 'fees'
  readonly permission: Permission
}

/** The compiler's messages are for developers. These say the same to people. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/^Expected less than 2\^/, t('This amount is larger than a limit can be.')],
  [/^Expected more than 0/, t('Enter more than zero.')],
  [/^Expected a decimal string/, t('This is not an amount.')],
  [/^Expected a whole number/, t('This number is too small or too large.')],
  [/^Expected an address/, t('This is not an address, or a letter in it is wrong.')],
  [/^Expected (an array of addresses|the functions)/, t('This list is missing.')],
  [/^Expected a signature/, t('This is not a function such as transfer(address,uint256).')],
  [/^Expected a known type/, t('This wallet does not know this kind of permission.')],
  [/^Expected /, t('This value is not valid.')],
]

/** A problem in a session's permissions, in words for people. */
export const describePermissionProblem = ({ message }: Pick<PermissionProblem, 'message'>): string =>
  texts.find(([pattern]) => pattern.test(message))?.[1] ?? message

/** The permission that a problem is in, counted from 1 as people count. Undefined if it is in none. */
export function permissionNumber({ path }: Pick<PermissionProblem, 'path'>): number | undefined {
  const index = /^permissions\[(\d+)\]/.exec(path)?.[1]
  return index === undefined ? undefined : Number(index) + 1
}

/** The fields that both kinds of allowance share. */
interface Allowance {
  readonly allowance: string
  readonly period?: number
  readonly to?: readonly Address[]
}

/** Reads an allowance of the draft. If it is invalid, returns nothing and adds to `errors`. */
function readAllowance(
  place: 'token' | 'native',
  { amount, period, reach, recipients }: AllowanceDraft,
  decimals: number,
  errors: SessionDraftErrors,
  toPermission: (allowance: Allowance) => Permission,
): PlacedPermission[] {
  const parsed = parseAmount(amount, decimals)
  if (!parsed.ok) errors[`${place}.amount`] = parsed.message
  else if (parsed.value === 0n) errors[`${place}.amount`] = t('Enter more than zero.')
  const to =
    reach === 'anyone' ? undefined : reach === 'nobody' ? [] : readRecipients(place, recipients, errors)
  if (!parsed.ok || errors[`${place}.amount`] || errors[`${place}.recipients`]) return []
  const permission = toPermission({
    allowance: parsed.value.toString(),
    ...(period > 0 && { period }),
    ...(to && { to }),
  })
  return [{ place, permission }]
}

function readRecipients(place: 'token' | 'native', text: string, errors: SessionDraftErrors): Address[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  if (parts.length === 0) errors[`${place}.recipients`] = t('Name at least one address.')
  return parts.flatMap((part) => {
    const parsed = parseAddress(part)
    if (parsed.ok) return [parsed.address]
    errors[`${place}.recipients`] = `${part}: ${parsed.message}`
    return []
  })
}
