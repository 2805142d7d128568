import { useSession } from '../sign-in/session-context.tsx'
import { nameOf, readRecipients } from './known-recipients.ts'
import type { Recipient } from './recipient.ts'

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
