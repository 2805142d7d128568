import { readStoredList, writeStored } from '@lanyard/ui'
import { type Address, getAddress, isAddress } from 'viem'
import { useSession } from '../sign-in/session-context.tsx'
import type { Recipient } from './recipient.ts'

/** A contact, or somebody who was paid from this browser. */
export interface KnownRecipient {
  readonly address: Address
  /** The username at the service, if the recipient was found by it. */
  readonly username?: string | undefined
  /** The person's own name for the recipient, which makes it a contact. */
  readonly contact?: string | undefined
  /** When the recipient was last paid from this browser, in milliseconds since 1970. Undefined if never. */
  readonly paidAt?: number | undefined
}

/** Maximum number of stored recipients that are not contacts. */
const maxRecents = 50

const keyOf = (account: Address) => `lanyard.recipients.${account.toLowerCase()}`

/**
 * The recipients that this browser stores for an account: contacts by name, then the others by last payment.
 */
export function readRecipients(account: Address): readonly KnownRecipient[] {
  return readStoredList(keyOf(account)).flatMap(toRecipient)
}

/** Merges new data about a recipient. `contact: ''` removes the contact's name. */
export function rememberRecipient(account: Address, news: KnownRecipient): void {
  const known = readRecipients(account)
  const last = known.find(({ address }) => address === news.address)
  const others = known.filter(({ address }) => address !== news.address)
  const next = sortRecipients([{ ...last, ...withoutUndefined(news) }, ...others])
  writeStored(keyOf(account), next)
}

/** The contacts of an account as a file keeps them. */
export const contactsFile = (contacts: readonly KnownRecipient[]): string =>
  JSON.stringify(
    contacts.map(({ contact, username, address }) => ({ name: contact, username, address })),
    null,
    2,
  )

/**
 * Adds the contacts of a file. Those that are there keep their name.
 *
 * @returns how many were added; undefined if the file holds no contacts
 */
export function addContacts(account: Address, file: string): number | undefined {
  const listed = readList(file)?.flatMap((entry) => {
    const { name, ...rest } = (entry ?? {}) as Readonly<Record<string, unknown>>
    return toRecipient({
      ...rest,
      contact: typeof name === 'string' ? name.trim().slice(0, maxNameLength) : '',
    })
  })
  if (!listed || listed.length === 0) return undefined
  const there = readRecipients(account).filter(({ contact }) => contact)
  const added = new Map(
    listed
      .filter(({ address, contact }) => contact && there.every((one) => one.address !== address))
      .map(({ address, username, contact }) => [address, { address, username, contact }]),
  )
  for (const contact of added.values()) rememberRecipient(account, contact)
  return added.size
}

/** Maximum length of a contact's name. */
export const maxNameLength = 64

function readList(file: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(file)
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Sorts contacts alphabetically, then the others by last payment. */
export function sortRecipients(recipients: readonly KnownRecipient[]): readonly KnownRecipient[] {
  const contacts = recipients.filter(({ contact }) => contact)
  const recents = recipients.filter(({ contact }) => !contact)
  return [
    ...contacts.toSorted((a, b) => (a.contact ?? '').localeCompare(b.contact ?? '')),
    ...recents.toSorted((a, b) => (b.paidAt ?? 0) - (a.paidAt ?? 0)).slice(0, maxRecents),
  ]
}

/** The name by which the person knows a recipient. */
const nameOf = ({ contact, username }: Pick<KnownRecipient, 'contact' | 'username'>) => contact || username

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

/**
 * Lower-case address → the person's name for it: contacts, users paid before, and the recipient just chosen.
 */
export function useRecipientNames(chosen?: Recipient): ReadonlyMap<string, string> {
  const { account } = useSession()
  const known = readRecipients(account).map((recipient) => [recipient.address, nameOf(recipient)] as const)
  const named = known.some(([address, name]) => name && address === chosen?.address)
  return new Map(
    [...(named ? [] : [[chosen?.address, chosen?.username] as const]), ...known].flatMap(([address, name]) =>
      address && name ? [[address.toLowerCase(), name]] : [],
    ),
  )
}
