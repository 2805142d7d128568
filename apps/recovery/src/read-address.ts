import { type Address, getAddress, isAddress } from 'viem'
import { RecoveryError } from './recovery-error.ts'
import { t } from './words.ts'

/** @throws RecoveryError USAGE */
export function readAddress(text: string, name: string): Address {
  const trimmed = text.trim()
  if (isAddress(trimmed)) return getAddress(trimmed)
  throw new RecoveryError(
    'USAGE',
    t('{name}: {text} is not an address, or its checksum is wrong.', { name, text: trimmed }),
  )
}
