import type { Guardian } from '../../guardians/guardian.ts'
import { escapeText } from '../../ui/escape-text.ts'
import { shortAddress } from '../../ui/short-address.ts'

/** A guardian's name: the username, the person's own name for the address, or the address. */
export const guardianName = (
  { guardian, username }: Pick<Guardian, 'guardian' | 'username'>,
  contacts: ReadonlyMap<string, string>,
): string =>
  username ? escapeText(username, 64) : (contacts.get(guardian.toLowerCase()) ?? shortAddress(guardian))
