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

/** The link by which the guardian answers: the owner opens it, and adds the address. */
export const answerLink = (guardian: Address): string =>
  `${location.origin}/guardians?${new URLSearchParams({ add: guardian })}`

/** The address of an answer. Undefined if there is none. */
export function readAnswer(search: URLSearchParams): Address | undefined {
  const add = search.get('add') ?? ''
  return isAddress(add, { strict: false }) ? getAddress(add) : undefined
}
