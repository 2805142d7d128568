import { escapeText, shortAddress } from '@lanyard/ui'
import type { Guardian } from '../../guardians/guardian.ts'

/** A guardian's name: the username, the person's own name for the address, or the address. */
export const guardianName = (
  { guardian, username }: Pick<Guardian, 'guardian' | 'username'>,
  contacts: ReadonlyMap<string, string>,
): string =>
  username ? escapeText(username, 64) : (contacts.get(guardian.toLowerCase()) ?? shortAddress(guardian))
