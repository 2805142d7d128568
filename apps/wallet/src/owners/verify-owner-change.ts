import {
  type Call,
  computeSignerAddress,
  encodeAddOwner,
  encodeCreateSigner,
  safeAbi,
} from '@lanyard/accounts'
import { type Address, decodeFunctionData, isAddressEqual } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'
import type { OwnerCandidate } from './owner-candidate.ts'

const isSameCall = (a: Call | undefined, b: Call) =>
  a !== undefined &&
  isAddressEqual(a.to, b.to) &&
  a.value === b.value &&
  a.data.toLowerCase() === b.data.toLowerCase()

/**
 * Checks that the calls which the service planned make `candidate` an owner, and do nothing else: who may act for
 * the account is the last thing to take from somebody else's word.
 *
 * @throws WalletError CALLS_DIFFER
 */
export function verifyOwnerAddition(
  calls: readonly Call[],
  account: Address,
  candidate: OwnerCandidate,
): void {
  const addition = encodeAddOwner({ account, owner: ownerAddress(candidate) })
  const creation = candidate.kind === 'passkey' ? encodeCreateSigner(candidate) : undefined
  const rest = creation && isSameCall(calls[0], creation) ? calls.slice(1) : calls
  if (rest.length !== 1 || !isSameCall(rest[0], addition)) throw new WalletError('CALLS_DIFFER')
}

/**
 * The same for a removal. A wrong neighbour in the list of owners only makes the call revert, so it is not looked
 * at.
 *
 * @throws WalletError CALLS_DIFFER
 */
export function verifyOwnerRemoval(calls: readonly Call[], account: Address, owner: Address): void {
  const [call] = calls
  if (
    calls.length !== 1 ||
    !call ||
    !isAddressEqual(call.to, account) ||
    call.value !== 0n ||
    !removes(call, owner)
  )
    throw new WalletError('CALLS_DIFFER')
}

function removes({ data }: Call, owner: Address): boolean {
  try {
    const { functionName, args } = decodeFunctionData({ abi: safeAbi, data })
    return functionName === 'removeOwner' && isAddressEqual(args[1], owner) && args[2] === 1n
  } catch {
    return false // viem throws on an unknown selector and on arguments that do not decode
  }
}

/** The owner as the Safe knows it: for a passkey, its signer contract. */
export function ownerAddress(candidate: OwnerCandidate): Address {
  return candidate.kind === 'eoa' ? candidate.address : computeSignerAddress(candidate)
}
