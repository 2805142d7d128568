import { usernameKey, usernameSkeleton } from '@lanyard/contracts'
import { type Address, isAddressEqual } from 'viem'
import { type KnownRecipient, readRecipients } from './known-recipients.ts'
import type { Recipient } from './recipient.ts'

/** Somebody whom the person knows, and for whom another recipient could be taken. */
export interface LookAlike {
  /** What looks the same: both ends of the address, or the name. */
  readonly by: 'ends' | 'name'
  readonly known: KnownRecipient
}

/** Digits at each end that people compare. Attackers make addresses that have them in common. */
const comparedDigits = 3

/** Whom a recipient of this account could be taken for: the people whom this browser knows, and the account itself. */
export function lookAlikeOf(
  recipient: Recipient | undefined,
  { account, username }: { readonly account: Address; readonly username: string },
): LookAlike | undefined {
  if (!recipient || isAddressEqual(recipient.address, account)) return undefined
  return findLookAlike(recipient, [...readRecipients(account), { address: account, username }])
}

/**
 * Finds whom a recipient looks like without being them. A contact, and who was paid before, looks like nobody else: the
 * person decided about them once.
 */
export function findLookAlike(
  { address, username }: Recipient,
  people: readonly KnownRecipient[],
): LookAlike | undefined {
  const others = people.filter((known) => !isAddressEqual(known.address, address))
  const isKnown = people.some(
    (known) =>
      isAddressEqual(known.address, address) && (known.contact !== undefined || known.paidAt !== undefined),
  )
  if (isKnown) return undefined
  const byEnds = others.find((known) => haveSameEnds(known.address, address))
  if (byEnds) return { by: 'ends', known: byEnds }
  const byName =
    username &&
    others.find((known) => [known.contact, known.username].some((name) => name && looksLike(name, username)))
  return byName ? { by: 'name', known: byName } : undefined
}

/** A capital I looks like an l, and is also the capital of an i: both count, as for usernames of the service. */
const looksLike = (one: string, other: string): boolean =>
  usernameKey(one) === usernameKey(other) || usernameSkeleton(one) === usernameSkeleton(other)

/** Whether two addresses begin and end alike. */
export function haveSameEnds(one: string, other: string): boolean {
  const endsOf = (address: string) => {
    const digits = address.slice(2).toLowerCase()
    return digits.slice(0, comparedDigits) + digits.slice(-comparedDigits)
  }
  return endsOf(one) === endsOf(other)
}

/** An address in groups of four digits, each with whether another address has the same one there. */
export function compareGroups(address: Address, other: Address) {
  const groupsOf = (text: string) => text.slice(2).match(/.{4}/g) ?? []
  const others = groupsOf(other.toLowerCase())
  return groupsOf(address).map((digits, index) => ({
    digits,
    isSame: digits.toLowerCase() === others[index],
  }))
}

/** The first group in which two addresses differ, and the text before it. */
export function firstDifference(address: Address, other: Address) {
  const groups = compareGroups(address, other)
  const index = groups.findIndex(({ isSame }) => !isSame)
  return { before: groups[index - 1]?.digits ?? '0x', digits: groups[index]?.digits ?? '' }
}
