import { compilePermissions, forbiddenTargets } from '@lanyard/session-keys'
import { type Address, zeroAddress } from 'viem'
import { type Currency, nativeOf } from '../amounts/currency.ts'
import { parseAmount } from '../amounts/parse-amount.ts'
import { t } from '../i18n/t.ts'
import { parseSessionKey } from './parse-session-key.ts'
import { mapErrorsToFields } from './place-problems.ts'
import type { PlacedPermission } from './placed-permission.ts'
import type { GrantRequest } from './plan-grant.ts'
import { readAllowance } from './read-allowance.ts'
import { readCall } from './read-call.ts'
import type { SessionDraft, SessionDraftErrors } from './session-draft.ts'
import type { SessionKeysNetwork } from './session-keys-network.ts'

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
