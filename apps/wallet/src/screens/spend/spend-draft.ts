import type { PlanType } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import { parseAmount } from '../../amounts/parse-amount.ts'
import { t } from '../../i18n/t.ts'
import { smartBalanceDecimals } from '../../networks/use-networks.ts'
import { type Recipient, readRecipient } from '../../recipients/recipient.ts'
import { nobodyText } from '../../recipients/use-recipient-lookup.ts'
import type { PaymentRequest } from '../../smart-balance/quote.ts'

/** The form's current content, as text. */
export interface SpendDraft {
  /** Undefined: the first network. */
  readonly chainId: number | undefined
  readonly type: PlanType
  readonly recipient: string
  readonly chosen: Recipient | undefined
  readonly amount: string
}

export const emptySpendDraft: SpendDraft = {
  chainId: undefined,
  type: 'AMOUNT_OUT',
  recipient: '',
  chosen: undefined,
  amount: '',
}

export type SpendDraftErrors = Partial<Record<'recipient' | 'amount', string>>

export type ReadSpendDraftResult =
  | { readonly ok: true; readonly request: PaymentRequest; readonly recipient: Address }
  | { readonly ok: false; readonly errors: SpendDraftErrors }

/** The part of a draft that can be priced: the price does not depend on the recipient. */
export function readPaymentRequest(
  { amount, type }: Pick<SpendDraft, 'amount' | 'type'>,
  chainId: number,
): PaymentRequest | undefined {
  const parsed = parseAmount(amount, smartBalanceDecimals)
  return parsed.ok && parsed.value > 0n ? { chainId, type, amount: parsed.value } : undefined
}

/** Converts a draft to a payment, or returns its errors by field. A name must be looked up first. */
export function readSpendDraft(draft: SpendDraft, chainId: number): ReadSpendDraftResult {
  const errors: SpendDraftErrors = {}
  const to = draft.chosen ? ({ kind: 'address', ...draft.chosen } as const) : readRecipient(draft.recipient)
  if (to.kind !== 'address') errors.recipient = to.kind === 'name' ? nobodyText(to.name) : to.message
  const amount = parseAmount(draft.amount, smartBalanceDecimals)
  if (!amount.ok) errors.amount = amount.message
  else if (amount.value === 0n) errors.amount = t('Enter more than zero.')
  const request = readPaymentRequest(draft, chainId)
  if (to.kind !== 'address' || !request) return { ok: false, errors }
  return { ok: true, request, recipient: to.address }
}
