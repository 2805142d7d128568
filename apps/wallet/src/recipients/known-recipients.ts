import { type Address, getAddress, isAddress } from 'viem'

/** Somebody who was paid from this browser, or who is a contact in it. */
export interface KnownRecipient {
  readonly address: Address
  /** The username at the service, if they were found by it. */
  readonly username?: string | undefined
  /** The person's own name for them; makes the recipient a contact. */
  readonly contact?: string | undefined
  /** When they were last paid from this browser, milliseconds since 1970; undefined if never. */
  readonly paidAt?: number | undefined
}

/** How many recipients that are not contacts are kept. */
const maxRecents = 50

const keyOf = (account: Address) => `lanyard.recipients.${account.toLowerCase()}`

/** The recipients that this browser knows for an account: contacts by name, then the others, the last paid first. */
export function readRecipients(account: Address): readonly KnownRecipient[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(account)) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap(toRecipient) : []
  } catch {
    return [] // storage is blocked, or holds something else
  }
}

/** Merges news about a recipient into what is known. `contact: ''` removes the contact's name. */
export function rememberRecipient(account: Address, news: KnownRecipient): void {
  const known = readRecipients(account)
  const last = known.find(({ address }) => address === news.address)
  const others = known.filter(({ address }) => address !== news.address)
  const next = sortRecipients([{ ...last, ...withoutUndefined(news) }, ...others])
  try {
    localStorage.setItem(keyOf(account), JSON.stringify(next))
  } catch {
    // Storage is blocked: recipients are not remembered.
  }
}

/** Contacts alphabetically, then the others, the last paid first. */
export function sortRecipients(recipients: readonly KnownRecipient[]): readonly KnownRecipient[] {
  const contacts = recipients.filter(({ contact }) => contact)
  const recents = recipients.filter(({ contact }) => !contact)
  return [
    ...contacts.toSorted((a, b) => (a.contact ?? '').localeCompare(b.contact ?? '')),
    ...recents.toSorted((a, b) => (b.paidAt ?? 0) - (a.paidAt ?? 0)).slice(0, maxRecents),
  ]
}

/** What the person knows a recipient by. */
export const nameOf = ({ contact, username }: Pick<KnownRecipient, 'contact' | 'username'>) =>
  contact || username

function toRecipient(value: unknown): readonly KnownRecipient[] {
  if (typeof value !== 'object' || value === null) return []
  const { address, username, contact, paidAt } = value as Readonly<Record<string, unknown>>
  if (typeof address !== 'string' || !isAddress(address, { strict: false })) return []
  return [
    {
      address: getAddress(address),
      username: typeof username === 'string' ? username : undefined,
      contact: typeof contact === 'string' && contact !== '' ? contact : undefined,
      paidAt: typeof paidAt === 'number' ? paidAt : undefined,
    },
  ]
}

const withoutUndefined = (recipient: KnownRecipient) =>
  Object.fromEntries(
    Object.entries(recipient).filter(([, value]) => value !== undefined),
  ) as unknown as KnownRecipient
