import type { Permission } from '@lanyard/session-keys'
import type { Address } from 'viem'
import { parseAmount } from '../amounts/parse-amount.ts'
import { t } from '../i18n/t.ts'
import { parseAddress } from '../recipients/recipient.ts'
import type { PlacedPermission } from './placed-permission.ts'
import type { AllowanceDraft, SessionDraftErrors } from './session-draft.ts'

/** The fields that both kinds of allowance share. */
interface Allowance {
  readonly allowance: string
  readonly period?: number
  readonly to?: readonly Address[]
}

/** Reads an allowance of the draft. If it is invalid, returns nothing and adds to `errors`. */
export function readAllowance(
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
