import { concat, type Hex, keccak256, pad } from 'viem'
import { assertSize, encodeUint } from '../bytes.ts'
import type { OrderSigner } from './order.ts'

/**
 * The signer that a SmartBalance pins: an EOA's address, left-padded, or keccak256(x ‖ y ‖ verifiers) of a
 * passkey.
 *
 * @throws SmartBalanceError OUT_OF_RANGE, MALFORMED.
 */
export function signerId(signer: OrderSigner): Hex {
  if (signer.kind === 'passkey') return keccak256(encodePasskey(signer))
  assertSize(signer.address, 20, 'signer.address')
  return pad(signer.address.toLowerCase() as Hex) // hex in lower case is still hex
}

/** x (32) ‖ y (32) ‖ verifiers (22). */
export function encodePasskey({ x, y, verifiers }: Extract<OrderSigner, { kind: 'passkey' }>): Hex {
  return concat([
    encodeUint(x, 256, 'signer.x'),
    encodeUint(y, 256, 'signer.y'),
    encodeUint(verifiers, 176, 'signer.verifiers'),
  ])
}
