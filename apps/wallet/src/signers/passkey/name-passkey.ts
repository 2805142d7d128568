import type { PasskeyOwner } from '@lanyard/accounts'
import type { Hex } from 'viem'

const hex = (value: bigint, digits: number): Hex => `0x${value.toString(16).padStart(digits, '0')}`

/** A passkey as requests name it. */
export const namePasskey = ({ x, y, verifiers }: PasskeyOwner) => ({
  x: hex(x, 64),
  y: hex(y, 64),
  verifiers: hex(verifiers, 44),
})
