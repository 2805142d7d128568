import { type Address, getAddress, isAddress } from 'viem'
import { escapeText } from '../ui/escape-text.ts'

/** Somebody who asks for a guardian, as the link says it: nobody checked the name. */
export interface Invitation {
  readonly account: Address
  readonly name: string
}

/** The link by which an owner asks somebody to be a guardian. */
export const invitationLink = ({ account, name }: Invitation): string =>
  `${location.origin}/become-guardian#${new URLSearchParams({ account, name })}`

/** Reads the part of an invitation after `#`. Undefined if it is none. */
export function readInvitation(hash: string): Invitation | undefined {
  const link = new URLSearchParams(hash.replace(/^#/, ''))
  const account = link.get('account') ?? ''
  const name = escapeText(link.get('name') ?? '', 64)
  return isAddress(account, { strict: false }) && name !== ''
    ? { account: getAddress(account), name }
    : undefined
}

/**
 * The link by which the guardian answers: the owner opens it, and adds the address. It stands after `#`, which browsers send to
 * no server.
 */
export const answerLink = (guardian: Address): string =>
  `${location.origin}/guardians#${new URLSearchParams({ add: guardian })}`

/** The address of an answer. Undefined if there is none. Earlier links have it in the query. */
export function readAnswer({
  hash,
  search,
}: {
  readonly hash: string
  readonly search: string
}): Address | undefined {
  const find = (text: string) => new URLSearchParams(text.replace(/^[#?]/, '')).get('add')
  const add = find(hash) ?? find(search) ?? ''
  return isAddress(add, { strict: false }) ? getAddress(add) : undefined
}
