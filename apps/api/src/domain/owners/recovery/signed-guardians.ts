import type { GuardianSet } from '@lanyard/accounts'
import { type Address, isAddressEqual } from 'viem'
import type { KeptSignature } from './recovery.ts'

/** The guardians in force whose signature counts on a network. */
export const signedGuardians = (
  { members }: GuardianSet,
  signatures: readonly KeptSignature[],
  network: number,
): Address[] =>
  members.filter((member) =>
    signatures.some(
      (one) => isAddressEqual(one.guardian, member) && (one.network === 0 || one.network === network),
    ),
  )
