import {
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  encodePacked,
  getAddress,
  type Hash,
  type Hex,
  hexToBigInt,
  hexToString,
  isAddress,
  isAddressEqual,
  isHex,
  keccak256,
  numberToHex,
  size,
  slice,
  stringToHex,
  trim,
  zeroAddress,
  zeroHash,
} from 'viem'
import { AccountsError } from '../../errors.ts'
import type { AccountOwner, PasskeyOwner } from '../../owner.ts'
import { assertOnP256 } from '../../signers/passkey/public-key.ts'
import { assertUint } from '../../words.ts'

/** Who may recover an account. Without members there is no recovery, and threshold and delay are 0. */
export interface GuardianSet {
  /** Ascending, without repetition; {@link toGuardianSet} sorts them. */
  readonly members: readonly Address[]
  /** How many of them must sign. */
  readonly threshold: number
  /** Seconds between the start of a recovery and its execution. */
  readonly delay: number
}

/** Bounds that the module enforces: members, and seconds of delay. */
export const guardianBounds = { members: 16, minDelay: 86_400, maxDelay: 2_592_000 } as const

/** No guardians. */
export const noGuardians: GuardianSet = { members: [], threshold: 0, delay: 0 }

/**
 * Sorts the members as the module wants them.
 *
 * @throws AccountsError OUT_OF_RANGE for a threshold, delay or number of members outside the bounds; MALFORMED for an
 * address that is not one, is 0, or comes twice
 */
export function toGuardianSet({ members, threshold, delay }: GuardianSet): GuardianSet {
  const sorted = [...members].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  const isBroken = (member: Address, index: number) =>
    !isAddress(member) || isAddressEqual(member, zeroAddress) || isRepeated(sorted, index)
  if (sorted.some(isBroken)) {
    throw new AccountsError('MALFORMED', 'Each guardian is an address, named once')
  }
  if (sorted.length === 0 && threshold === 0 && delay === 0) return noGuardians
  check(sorted.length, 1, guardianBounds.members, 'members')
  check(threshold, 1, sorted.length, 'threshold')
  check(delay, guardianBounds.minDelay, guardianBounds.maxDelay, 'delay')
  return { members: sorted, threshold, delay }
}

const isRepeated = (sorted: readonly Address[], index: number) =>
  index > 0 && sorted[index]?.toLowerCase() === sorted[index - 1]?.toLowerCase()

function check(value: number, lowest: number, highest: number, field: string): void {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return
  throw new AccountsError('OUT_OF_RANGE', `${field} must be from ${lowest} to ${highest}`, {
    details: { field, lowest, highest },
  })
}

/**
 * What a network stores of an account's guardians (`guardians` of `stateOf`): 0 if there are none.
 *
 * @throws AccountsError as {@link toGuardianSet}
 */
export function getGuardianSetHash(guardians: GuardianSet): Hash {
  if (guardians.members.length === 0) return zeroHash
  // keccak256(abi.encode(GuardianSet)), as in the data of the change that sets them.
  return keccak256(encodeOwnerChange({ kind: 'setGuardians', guardians }).data)
}

/** An owner as Ownership names it: the address of a passkey's signer may differ between networks. */
export interface ModuleOwner {
  /** 0: an address. 1: a passkey. */
  readonly kind: number
  /** 20 bytes, or x (32) ‖ y (32) ‖ verifiers (22). */
  readonly key: Hex
}

const kinds = { eoa: 0, passkey: 1 } as const
const passkeyBytes = 86

/** @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE */
export function toModuleOwner(owner: AccountOwner): ModuleOwner {
  if (owner.kind === 'eoa') return { kind: kinds.eoa, key: encodePacked(['address'], [owner.address]) }
  const { x, y, verifiers } = owner
  assertOnP256({ x, y })
  assertUint(verifiers, 176, 'verifiers')
  return {
    kind: kinds.passkey,
    key: `${numberToHex(x, { size: 32 })}${numberToHex(y, { size: 32 }).slice(2)}${numberToHex(verifiers, { size: 22 }).slice(2)}`,
  }
}

/** @throws AccountsError MALFORMED, NOT_ON_CURVE */
export function fromModuleOwner({ kind, key }: ModuleOwner): AccountOwner {
  if (isHex(key) && kind === kinds.eoa && size(key) === 20) return { kind: 'eoa', address: getAddress(key) }
  if (kind === kinds.passkey) return fromModulePasskey(key)
  throw new AccountsError('MALFORMED', noOwner)
}

const noOwner = 'This is no owner of the Ownership module'

/**
 * The passkey of a module's owner.
 *
 * @param key - x ‖ y ‖ verifiers
 * @throws AccountsError MALFORMED, NOT_ON_CURVE
 */
export function fromModulePasskey(key: Hex): PasskeyOwner {
  if (!isHex(key) || size(key) !== passkeyBytes) throw new AccountsError('MALFORMED', noOwner)
  const x = hexToBigInt(slice(key, 0, 32))
  const y = hexToBigInt(slice(key, 32, 64))
  assertOnP256({ x, y })
  return { kind: 'passkey', x, y, verifiers: hexToBigInt(slice(key, 64)) }
}

/** What owners sign once for all networks. Each also ends a running recovery. */
export type OwnerChange =
  | { readonly kind: 'addOwner'; readonly owner: AccountOwner }
  | { readonly kind: 'removeOwner'; readonly owner: AccountOwner }
  | { readonly kind: 'replaceOwner'; readonly old: AccountOwner; readonly added: AccountOwner }
  | { readonly kind: 'setThreshold'; readonly threshold: bigint }
  | { readonly kind: 'setGuardians'; readonly guardians: GuardianSet }
  | { readonly kind: 'revokeSessions' }
  | { readonly kind: 'cancel' }

const owner = {
  type: 'tuple',
  components: [
    { name: 'kind', type: 'uint8' },
    { name: 'key', type: 'bytes' },
  ],
} as const
const guardianSet = {
  type: 'tuple',
  components: [
    { name: 'members', type: 'address[]' },
    { name: 'threshold', type: 'uint8' },
    { name: 'delay', type: 'uint32' },
  ],
} as const

/** The two fields of the message that say what changes. */
export interface OwnerChangeFields {
  /** bytes32: ASCII, padded on the right. */
  readonly kind: Hex
  readonly data: Hex
}

/** @throws AccountsError as {@link toModuleOwner}, {@link toGuardianSet} */
export function encodeOwnerChange(change: OwnerChange): OwnerChangeFields {
  return { kind: stringToHex(change.kind, { size: 32 }), data: encodeData(change) }
}

function encodeData(change: OwnerChange): Hex {
  switch (change.kind) {
    case 'addOwner':
    case 'removeOwner':
      return encodeAbiParameters([owner], [toModuleOwner(change.owner)])
    case 'replaceOwner':
      return encodeAbiParameters([owner, owner], [toModuleOwner(change.old), toModuleOwner(change.added)])
    case 'setThreshold':
      assertUint(change.threshold, 256, 'threshold')
      return encodeAbiParameters([{ type: 'uint256' }], [change.threshold])
    case 'setGuardians':
      return encodeAbiParameters([guardianSet], [toGuardianSet(change.guardians)])
    case 'revokeSessions':
    case 'cancel':
      return '0x'
  }
}

/**
 * What a message says.
 *
 * @throws AccountsError MALFORMED unless it is the encoding that {@link encodeOwnerChange} makes: another encoding of
 * the same would have another hash
 */
export function decodeOwnerChange({ kind, data }: OwnerChangeFields): OwnerChange {
  let change: OwnerChange | undefined
  try {
    change = decodeData(hexToString(trim(kind, { dir: 'right' })), data)
  } catch {
    change = undefined
  }
  const again = change && encodeOwnerChange(change)
  if (change && again?.kind === kind && again.data.toLowerCase() === data.toLowerCase()) return change
  throw new AccountsError('MALFORMED', 'This is no change of the Ownership module')
}

function decodeData(kind: string, data: Hex): OwnerChange | undefined {
  if (kind === 'addOwner' || kind === 'removeOwner') {
    const [named] = decodeAbiParameters([owner], data)
    return { kind, owner: fromModuleOwner(named) }
  }
  if (kind === 'replaceOwner') {
    const [old, added] = decodeAbiParameters([owner, owner], data)
    return { kind, old: fromModuleOwner(old), added: fromModuleOwner(added) }
  }
  if (kind === 'setThreshold') {
    const [threshold] = decodeAbiParameters([{ type: 'uint256' }], data)
    return { kind, threshold }
  }
  if (kind === 'setGuardians') {
    const [guardians] = decodeAbiParameters([guardianSet], data)
    return { kind, guardians }
  }
  return kind === 'revokeSessions' || kind === 'cancel' ? { kind } : undefined
}
