import { type Address, getAddress, isAddress } from 'viem'

/** Somebody who was paid from this browser, or who has a name in it. */
export interface KnownRecipient {
  readonly address: Address
  /** The user's name at the service, where they were found by it. */
  readonly username?: string | undefined
  /** A name of the person's own: the recipient is a contact. */
  readonly contact?: string | undefined
  /** When they were paid last from this browser, milliseconds since 1970; undefined: never. */
  readonly paidAt?: number | undefined
}

/** Contacts stay; of the others the last ones are kept. */
const maxRecents = 50

const keyOf = (account: Address) => `lanyard.recipients.${account.toLowerCase()}`

/** Who is known to this browser for an account: contacts by name first, then whoever was paid last. */
export function readRecipients(account: Address): readonly KnownRecipient[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(account)) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap(toRecipient) : []
  } catch {
    return [] // storage is blocked, or holds something else
  }
}

/** Keeps what is new about a recipient, and what was known besides. Without a contact name: `contact: ''` forgets it. */
export function rememberRecipient(account: Address, news: KnownRecipient): void {
  const known = readRecipients(account)
  const last = known.find(({ address }) => address === news.address)
  const others = known.filter(({ address }) => address !== news.address)
  const next = sortRecipients([{ ...last, ...withoutUndefined(news) }, ...others])
  try {
    localStorage.setItem(keyOf(account), JSON.stringify(next))
  } catch {
    // Storage is blocked: nobody is known next time.
  }
}

/** Contacts in alphabetical sequence, then the others, the last paid first. */
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
