import {
  type AccountOwner,
  type Call,
  encodeAddOwner,
  ownerAddresses,
  readMemberChange,
  toOwner,
} from '@lanyard/accounts'
import { isSameCall, tryDecode } from '@lanyard/calls'
import { smartBalanceAbi } from '@lanyard/onchain'
import { endSessionsCall } from '@lanyard/session-keys'
import { encodeAddSigner, encodeRemoveSigner, signerId } from '@lanyard/smart-balance'
import { type Address, decodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { WalletError } from '../errors/wallet-error.ts'
import type { OwnerCandidate } from '../signers/signer-kind.ts'
import { signerKindOf } from '../signers/signer-kinds.ts'

/** The inputs that determine the calls of a change. */
interface OwnerChangeContext {
  readonly account: Address
  /** The network's SmartBalance, if an owner's key is also pinned there. */
  readonly smartBalance: Address | undefined
  /** The network's SessionKeys. */
  readonly sessionKeys: Address | undefined
}

/**
 * Verifies that the planned calls make `candidate` an owner and do nothing else. The wallet never relies on
 * the service for who may act for the account. If the network has a SmartBalance, only the new owner's key
 * may be pinned there.
 *
 * @throws WalletError CALLS_DIFFER
 */
export function verifyOwnerAddition(
  calls: readonly Call[],
  { account, smartBalance }: OwnerChangeContext,
  candidate: OwnerCandidate,
): void {
  const addition = encodeAddOwner({ account, owner: ownerAddress(candidate) })
  const creation = signerKindOf(candidate).creation?.(candidate)
  const pin = smartBalance && encodeAddSigner(smartBalance, signerId(candidate))
  const unpinned = pin ? withoutFirst(calls, (call) => isSameCall(call, pin)) : calls
  const rest = creation && isSameCall(unpinned[0], creation) ? unpinned.slice(1) : unpinned
  if (rest.length !== 1 || !isSameCall(rest[0], addition)) throw new WalletError('CALLS_DIFFER')
}

/**
 * Verifies a removal in the same way. It may remove the pin of the owner's key, and of no other key. Where the network has
 * session keys, it must end all sessions: the review says so, and what the owner granted would outlive them. A wrong
 * neighbour in the owner list only makes the call revert, so it is not checked.
 *
 * @param signers - owners whose key this device knows
 * @throws WalletError CALLS_DIFFER
 */
export function verifyOwnerRemoval(
  calls: readonly Call[],
  { account, smartBalance, sessionKeys }: OwnerChangeContext,
  owner: Address,
  signers: readonly AccountOwner[],
): void {
  const ending = sessionKeys ? calls.findIndex((call) => isSameCall(call, endSessionsCall)) : undefined
  const others = calls.filter((_, index) => index !== ending)
  const rest = smartBalance
    ? withoutFirst(others, (call) => unpins(call, smartBalance, owner, signers))
    : others
  const [call] = rest
  if (
    ending === -1 ||
    rest.length !== 1 ||
    !call ||
    !isAddressEqual(call.to, account) ||
    call.value !== 0n ||
    !removes(call, owner)
  )
    throw new WalletError('CALLS_DIFFER')
}

const withoutFirst = (calls: readonly Call[], matches: (call: Call) => boolean) => {
  const index = calls.findIndex(matches)
  return calls.filter((_, at) => at !== index)
}

function removes({ data }: Call, owner: Address): boolean {
  const change = readMemberChange(data)
  return change?.kind === 'remove-owner' && isAddressEqual(change.owner, owner) && change.threshold === 1n
}

/**
 * Whether a call removes the pin of `owner` and nothing else. If the passkey was created elsewhere, the key
 * behind its contract is unknown here. Then it is enough that the key is none of the known keys, which stay.
 */
function unpins(
  call: Call,
  smartBalance: Address,
  owner: Address,
  signers: readonly AccountOwner[],
): boolean {
  const signer = readUnpinned(call)
  if (signer === undefined || !isSameCall(call, encodeRemoveSigner(smartBalance, signer))) return false
  const removed = signers.find((candidate) =>
    ownerAddresses(candidate).some((address) => isAddressEqual(address, owner)),
  )
  if (removed) return signerId(removed) === signer
  return (
    signerId(toOwner({ address: owner })) === signer ||
    signers.every((candidate) => signerId(candidate) !== signer)
  )
}

function readUnpinned({ data }: Call): Hex | undefined {
  const call = tryDecode(() => decodeFunctionData({ abi: smartBalanceAbi, data }))
  return call?.functionName === 'removeSigner' ? call.args[0] : undefined
}

/** The owner's address in the Safe: for a passkey, its signer contract. */
export function ownerAddress(candidate: OwnerCandidate): Address {
  return ownerAddresses(candidate)[0]
}
