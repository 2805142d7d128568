import type { Call } from '@lanyard/accounts'
import { type Currency, nativeOf } from '@lanyard/calls'
import type { PlanType } from '@lanyard/smart-balance'
import { type Address, encodeFunctionData, erc20Abi, isHex } from 'viem'
import { formatShortAmount, parseAmount, toInput } from '../../amounts/amounts.ts'
import { encodeCall, parseFunctionSignature } from '../../calls/encode-call.ts'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { placeOfRequest, readPaymentUri } from '../../recipients/payment-uri.ts'
import { type Recipient, readRecipient } from '../../recipients/recipient.ts'
import { nobodyText } from '../../recipients/use-recipient-lookup.ts'

/** The form's current content, as text. */
export interface Draft {
  /** Undefined: the first network where the account has something. */
  readonly chainId: number | undefined
  /** A currency's index, or a custom call. Undefined: the first currency that the account has there. */
  readonly asset: number | 'call' | undefined
  readonly recipient: string
  readonly chosen: Recipient | undefined
  /** The recipient that the person confirmed, although it looks like somebody else. */
  readonly confirmed: Address | undefined
  readonly amount: string
  /** What the amount means if the combined balance pays. */
  readonly type: PlanType
  readonly signature: string
  readonly args: readonly string[]
  readonly data: string
}

export const emptyDraft: Draft = {
  chainId: undefined,
  asset: undefined,
  recipient: '',
  chosen: undefined,
  confirmed: undefined,
  amount: '',
  type: 'AMOUNT_OUT',
  signature: '',
  args: [],
  data: '',
}

/** What a payment request (ERC-681) fills in. Undefined if this wallet cannot pay it. */
export function draftOfRequest(text: string, networks: readonly Network[]): Partial<Draft> | undefined {
  const request = readPaymentUri(text)
  const place = request && placeOfRequest(request, networks)
  if (!request || !place) return undefined
  return {
    recipient: request.to,
    chosen: undefined,
    asset: place.asset,
    // Without a network, native value is paid where the account has it.
    chainId: request.chainId === undefined && !request.token ? undefined : place.chainId,
    type: 'AMOUNT_OUT',
    ...(request.amount !== undefined && { amount: toInput(request.amount, place.currency.decimals) }),
  }
}

/** A field of the form. */
type DraftField = 'recipient' | 'confirmation' | 'amount' | 'signature' | 'data' | `arg${number}`
export type DraftErrors = Partial<Record<DraftField, string>>

export type ReadDraftResult =
  | { readonly ok: true; readonly call: Call }
  | { readonly ok: false; readonly errors: DraftErrors }

/**
 * Converts a draft to a call, or returns its errors by field. A name must be looked up first.
 *
 * @param held - the account's balance of the currency in base units; undefined if unknown
 */
export function readDraft(draft: Draft, currencies: readonly Currency[], held?: bigint): ReadDraftResult {
  const errors: DraftErrors = {}
  const isCall = draft.asset === 'call'
  const currency = (isCall ? undefined : currencies[Number(draft.asset)]) ?? nativeOf(currencies)

  const to = draft.chosen ? ({ kind: 'address', ...draft.chosen } as const) : readRecipient(draft.recipient)
  if (to.kind !== 'address') errors.recipient = to.kind === 'name' ? nobodyText(to.name) : to.message
  const amount = parseAmount(isCall && draft.amount.trim() === '' ? '0' : draft.amount, currency.decimals)
  if (!amount.ok) errors.amount = amount.message
  else if (!isCall && amount.value === 0n) errors.amount = t('Enter more than zero.')
  else if (held !== undefined && amount.value > held)
    errors.amount = t('You have {amount} {symbol} on this network.', {
      amount: formatShortAmount(held, currency.decimals),
      symbol: currency.symbol,
    })
  const data = isCall ? readCallData(draft, errors) : undefined

  if (to.kind !== 'address' || !amount.ok || Object.keys(errors).length > 0) return { ok: false, errors }
  if (data !== undefined) return { ok: true, call: { to: to.address, value: amount.value, data } }
  if (!currency.token) return { ok: true, call: { to: to.address, value: amount.value, data: '0x' } }
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to.address, amount.value],
  })
  return { ok: true, call: { to: currency.token, value: 0n, data: transfer } }
}

/** Encodes function and arguments if a function is given, and otherwise reads hex. */
function readCallData(draft: Draft, errors: DraftErrors) {
  if (draft.signature.trim() === '') {
    const data = draft.data.trim()
    if (isHex(data) && data.length % 2 === 0) return data
    errors.data = t('Enter call data as 0x and hexadecimal digits, or a function above.')
    return undefined
  }
  const parsed = parseFunctionSignature(draft.signature)
  if (!parsed.ok) {
    errors.signature = parsed.message
    return undefined
  }
  const encoded = encodeCall(parsed.abi, draft.args)
  if (encoded.ok) return encoded.data
  const place: DraftField = encoded.argument === undefined ? 'signature' : `arg${encoded.argument}`
  errors[place] = encoded.message
  return undefined
}
