import type { Address } from 'viem'
import type { KnownRecipient } from './known-recipients.ts'

/** One entry of the suggestion list. */
export interface Suggestion extends KnownRecipient {
  readonly kind: 'contact' | 'recent' | 'user'
}

/** The number that fits below a field. */
const maxSuggestions = 8

/**
 * Suggests recipients for the typed text: contacts and earlier recipients whose name or address contains it,
 * then users found by the service. An exact name match comes first. Each recipient appears once.
 */
export function suggestRecipients(
  text: string,
  known: readonly KnownRecipient[],
  found: readonly { readonly username: string; readonly wallet_address: Address }[],
): readonly Suggestion[] {
  const typed = text.trim().toLowerCase()
  const fits = ({ contact = '', username = '', address }: KnownRecipient) =>
    [contact, username, address].some((name) => name.toLowerCase().includes(typed))
  const remembered = known
    .filter(fits)
    .map((recipient): Suggestion => ({ ...recipient, kind: recipient.contact ? 'contact' : 'recent' }))
  const users = found
    .filter(({ wallet_address }) => remembered.every(({ address }) => address !== wallet_address))
    .map(({ username, wallet_address }): Suggestion => ({ kind: 'user', username, address: wallet_address }))
  const isExact = ({ contact, username }: Suggestion) =>
    contact?.toLowerCase() === typed || username?.toLowerCase() === typed
  const all = [...remembered, ...users]
  return [...all.filter(isExact), ...all.filter((one) => !isExact(one))].slice(0, maxSuggestions)
}
