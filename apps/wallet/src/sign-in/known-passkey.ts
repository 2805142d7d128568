import type { PasskeyOwner } from '@lanyard/accounts'
import { writeStored } from '@lanyard/ui'
import { hexToBigInt, isHex } from 'viem'

/** A credential's P-256 point. */
type PasskeyPublicKey = Pick<PasskeyOwner, 'x' | 'y'>

const keyOf = (credentialId: string) => `lanyard.passkey.${credentialId}`

/**
 * Stores the public key of a passkey created in this browser, so that it can become an owner on other
 * networks later.
 */
export function rememberPasskey(credentialId: string, { x, y }: PasskeyPublicKey): void {
  writeStored(keyOf(credentialId), { x: `0x${x.toString(16)}`, y: `0x${y.toString(16)}` })
}

/** The public key of a passkey that was created in this browser. Undefined for any other. */
export function knownPasskey(credentialId: string): PasskeyPublicKey | undefined {
  try {
    const stored: { x?: unknown; y?: unknown } | null = JSON.parse(
      localStorage.getItem(keyOf(credentialId)) ?? 'null',
    )
    return isHex(stored?.x) && isHex(stored?.y)
      ? { x: hexToBigInt(stored.x), y: hexToBigInt(stored.y) }
      : undefined
  } catch {
    return undefined
  }
}
