import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodePacked,
  getAddress,
  type Hex,
  hexToBigInt,
  hexToString,
  isHex,
  numberToHex,
  size,
  slice,
  stringToHex,
  trim,
} from 'viem'
import { AccountsError } from '../../errors.ts'
import type { AccountOwner } from '../../owner.ts'
import { assertOnP256 } from '../../signers/passkey/public-key.ts'
import { assertUint } from '../../words.ts'
import { type GuardianSet, toGuardianSet } from './guardian-set.ts'

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
  if (!isHex(key) || kind !== kinds.passkey || size(key) !== passkeyBytes) {
    throw new AccountsError('MALFORMED', 'This is no owner of the Ownership module')
  }
  const x = hexToBigInt(slice(key, 0, 32))
  const y = hexToBigInt(slice(key, 32, 64))
  assertOnP256({ x, y })
  return { kind: 'passkey', x, y, verifiers: hexToBigInt(slice(key, 64)) }
}

/** What an owner signs once for all networks. Each also ends a running recovery. */
export type OwnerChange =
  | { readonly kind: 'addOwner'; readonly owner: AccountOwner }
  | { readonly kind: 'removeOwner'; readonly owner: AccountOwner }
  | { readonly kind: 'replaceOwner'; readonly old: AccountOwner; readonly added: AccountOwner }
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
  if (kind === 'setGuardians') {
    const [guardians] = decodeAbiParameters([guardianSet], data)
    return { kind, guardians }
  }
  return kind === 'revokeSessions' || kind === 'cancel' ? { kind } : undefined
}
