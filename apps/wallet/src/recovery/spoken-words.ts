import { toModuleOwner } from '@lanyard/accounts'
import { concat, hexToBigInt, keccak256, stringToHex } from 'viem'
import { english } from 'viem/accounts'
import type { RecoveryRequest } from './recovery-link.ts'

/** 66 bits: nobody finds another passkey with the same words. */
const count = 6

/**
 * Words that two people compare by phone: they follow from the account and the new passkey. A link that was exchanged on
 * its way has others.
 */
export function spokenWords({ account, newOwner }: RecoveryRequest): readonly string[] {
  const domain = stringToHex('Lanyard recovery words', { size: 32 })
  let rest = hexToBigInt(keccak256(concat([domain, account, toModuleOwner(newOwner).key])))
  return Array.from({ length: count }, () => {
    const word = english[Number(rest % BigInt(english.length))] ?? ''
    rest /= BigInt(english.length)
    return word
  })
}
