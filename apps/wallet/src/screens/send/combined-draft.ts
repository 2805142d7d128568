import { smartBalanceDecimals } from '@lanyard/calls'
import type { Address } from 'viem'
import { parseAmount } from '../../amounts/amounts.ts'
import { t } from '../../i18n/t.ts'
import { readRecipient } from '../../recipients/recipient.ts'
import { nobodyText } from '../../recipients/use-recipient-lookup.ts'
import type { PaymentRequest } from '../../smart-balance/quote.ts'
import type { Draft, DraftErrors } from './draft.ts'

type CombinedDraft = Pick<Draft, 'type' | 'recipient' | 'chosen' | 'amount'>

export type ReadCombinedDraftResult =
  | { readonly ok: true; readonly request: PaymentRequest; readonly recipient: Address }
  | { readonly ok: false; readonly errors: DraftErrors }

/** The part of a draft that can be priced: the price does not depend on the recipient. */
export function readPaymentRequest(
  { amount, type }: Pick<Draft, 'amount' | 'type'>,
  chainId: number,
): PaymentRequest | undefined {
  const parsed = parseAmount(amount, smartBalanceDecimals)
  return parsed.ok && parsed.value > 0n ? { chainId, type, amount: parsed.value } : undefined
}

/** Converts a draft to a payment from the combined balance, or returns its errors by field. A name must be looked up first. */
export function readCombinedDraft(draft: CombinedDraft, chainId: number): ReadCombinedDraftResult {
  const errors: DraftErrors = {}
  const to = draft.chosen ? ({ kind: 'address', ...draft.chosen } as const) : readRecipient(draft.recipient)
  if (to.kind !== 'address') errors.recipient = to.kind === 'name' ? nobodyText(to.name) : to.message
  const amount = parseAmount(draft.amount, smartBalanceDecimals)
  if (!amount.ok) errors.amount = amount.message
  else if (amount.value === 0n) errors.amount = t('Enter more than zero.')
  const request = readPaymentRequest(draft, chainId)
  if (to.kind !== 'address' || !request) return { ok: false, errors }
  return { ok: true, request, recipient: to.address }
}
