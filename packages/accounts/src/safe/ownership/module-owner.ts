import { encodePacked, getAddress, type Hex, hexToBigInt, isHex, numberToHex, size, slice } from 'viem'
import { assertUint } from '../../assert-uint.ts'
import { AccountsError } from '../../errors.ts'
import type { AccountOwner } from '../../owner.ts'
import { assertOnP256 } from '../../signers/passkey/assert-on-p256.ts'

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
