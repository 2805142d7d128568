import type { AccountOwner, GuardianSet } from '@lanyard/accounts'
import { getAddress, numberToHex } from 'viem'

/** An owner as the interface names it. */
export function nameOwner(owner: AccountOwner) {
  if (owner.kind === 'eoa') return { address: getAddress(owner.address) }
  const { x, y, verifiers } = owner
  return {
    x: numberToHex(x, { size: 32 }),
    y: numberToHex(y, { size: 32 }),
    verifiers: numberToHex(verifiers, { size: 22 }),
  }
}

/** Guardians as the interface names them. */
export const nameGuardians = ({ members, threshold, delay }: GuardianSet) => ({
  members: [...members],
  threshold,
  delay,
})
