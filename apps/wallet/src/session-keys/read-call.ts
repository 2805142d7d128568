import type { Currency } from '../amounts/currency.ts'
import { parseAmount } from '../amounts/parse-amount.ts'
import { t } from '../i18n/t.ts'
import { parseAddress } from '../recipients/recipient.ts'
import type { PlacedPermission } from './placed-permission.ts'
import type { CallDraft, SessionDraftErrors } from './session-draft.ts'

/** Reads a contract call of the draft, whose value is in the native currency. If it is invalid, returns nothing and adds to `errors`. */
export function readCall(
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
