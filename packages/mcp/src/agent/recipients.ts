import { type Address, getAddress, isAddress, isAddressEqual } from 'viem'
import { AgentError } from './agent-error.ts'
import type { Session } from './sessions.ts'

/** A recipient. The name is the owner's, never one that the recipient chose. */
export interface Recipient {
  readonly name?: string
  readonly address: Address
}

type Contacts = Readonly<Record<string, Address>>

/**
 * Resolves a contact's name or an address.
 *
 * @throws AgentError if there is no such contact
 */
export function resolveRecipient(text: string, contacts: Contacts): Recipient {
  const wanted = text.trim()
  if (isAddress(wanted, { strict: false })) return withName(getAddress(wanted), contacts)
  const found = Object.entries(contacts).find(([name]) => name.toLowerCase() === wanted.toLowerCase())
  if (found) return { name: found[0], address: found[1] }
  throw new AgentError(
    `There is no contact with that name. ${describeContacts(contacts)} An address also works, but the owner has to allow it.`,
  )
}

export function withName(address: Address, contacts: Contacts): Recipient {
  const name = Object.entries(contacts).find(([, one]) => isAddressEqual(one, address))?.[0]
  return { ...(name !== undefined && { name }), address: getAddress(address) }
}

export const showRecipient = ({ name, address }: Recipient): string =>
  name ? `${name} (${address})` : address

const describeContacts = (contacts: Contacts) => {
  const names = Object.keys(contacts)
  return names.length > 0 ? `Contacts: ${names.join(', ')}.` : 'The agent has no contacts.'
}

/** The recipients that a session names for a currency. `anyone`: its rules name nobody in particular. */
export function recipientsOf(
  session: Session,
  token: Address | undefined,
): { readonly anyone: boolean; readonly named: readonly Address[] } {
  const rules = session.rules.filter(({ kind, target }) =>
    token === undefined
      ? kind === 'native'
      : kind === 'token' && target !== undefined && isAddressEqual(target as Address, token),
  )
  const named = rules.flatMap((rule) => {
    const address = token === undefined ? rule.target : rule.counterparty
    return address === undefined ? [] : [getAddress(address)]
  })
  return { anyone: rules.length > named.length, named: [...new Set(named)] }
}

/** Whether the owner allowed this recipient: the session names it, or the session allows anyone and it is a contact. */
export function isAllowed(
  { address }: Recipient,
  { session, token, contacts }: { session: Session; token: Address | undefined; contacts: Contacts },
): boolean {
  const { anyone, named } = recipientsOf(session, token)
  const isListed = (list: readonly Address[]) => list.some((one) => isAddressEqual(one, address))
  return isListed(named) || (anyone && isListed(Object.values(contacts)))
}
