import { isNameServiceName } from '@lanyard/contracts'
import { type Address, getAddress, isAddress } from 'viem'
import { t } from '../i18n/t.ts'

/** The recipient. The address decides; the name only helps people to recognize it. */
export interface Recipient {
  readonly address: Address
  /** A username of this service, as the service spells it. */
  readonly username?: string | undefined
}

export type ParseAddressResult =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly message: string }

/** Whether the text looks like an address rather than a username. */
export const looksLikeAddress = (text: string) => /^0x[0-9a-fA-F]*$/i.test(text.trim())

/** Whether the text is a payment request (ERC-681) rather than a recipient. */
export const isPaymentUri = (text: string): boolean => /^ethereum:/i.test(text.trim())

/** Parses an address strictly: mixed case carries a checksum (ERC-55), which one wrong character breaks. */
export function parseAddress(text: string): ParseAddressResult {
  const typed = text.trim()
  const digits = typed.slice(2)
  if (!/^0x[0-9a-fA-F]*$/.test(typed))
    return { ok: false, message: t('An address is 0x and 40 hexadecimal digits.') }
  if (digits.length !== 40)
    return {
      ok: false,
      message: t('An address has 40 digits after 0x; this has {count}.', { count: digits.length }),
    }
  const uniform = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!uniform && !isAddress(typed))
    return {
      ok: false,
      message: t('The checksum is wrong: a character was mistyped. Copy the address again.'),
    }
  return { ok: true, address: getAddress(`0x${digits.toLowerCase()}`) }
}

/** The content of a recipient field. */
export type TypedRecipient =
  | { readonly kind: 'address'; readonly address: Address }
  /** A name to look up at the service. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'wrong'; readonly message: string }

/** Parses a recipient: an address if the text starts like one, otherwise a username. */
export function readRecipient(text: string): TypedRecipient {
  const typed = text.trim()
  if (typed === '') return { kind: 'wrong', message: t('Enter an address or a username.') }
  if (isPaymentUri(typed))
    return {
      kind: 'wrong',
      message: t('This request cannot be paid here: its network or token is not one of this service.'),
    }
  if (isNameServiceName(typed))
    return {
      kind: 'wrong',
      message: t(
        'A name service gives out names like this one, and this wallet does not ask it. Enter the address.',
      ),
    }
  if (!looksLikeAddress(typed)) return { kind: 'name', name: typed }
  const parsed = parseAddress(typed)
  return parsed.ok ? { kind: 'address', address: parsed.address } : { kind: 'wrong', message: parsed.message }
}

/** The recipient of a form, once it is known. */
export function typedRecipient({
  recipient,
  chosen,
}: {
  readonly recipient: string
  readonly chosen: Recipient | undefined
}): Recipient | undefined {
  const typed = readRecipient(recipient)
  return chosen ?? (typed.kind === 'address' ? { address: typed.address } : undefined)
}
