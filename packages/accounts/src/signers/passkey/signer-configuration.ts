import { safeWebAuthnSharedSignerAbi } from '@lanyard/onchain'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  size,
  slice,
  toFunctionSelector,
} from 'viem'
import type { PasskeyOwner } from '../../owner.ts'

/** The call data that reads the passkey of a signer contract. */
export const getSignerConfiguration: Hex = toFunctionSelector('getConfiguration()')

/** The call data that reads the passkey of `account` from the shared signer. */
export const encodeGetConfiguration = (account: Address): Hex =>
  encodeFunctionData({ abi: safeWebAuthnSharedSignerAbi, functionName: 'getConfiguration', args: [account] })

/** Without 0x; what follows is the passkey, as {@link decodeSignerConfiguration} takes it. */
export const configureSelector = toFunctionSelector('configure((uint256,uint256,uint176))').slice(2)

/** The passkey in the answer of either signer: x, y and verifiers, a word each. Undefined for anything else. */
export function decodeSignerConfiguration(answer: Hex): Omit<PasskeyOwner, 'kind'> | undefined {
  if (size(answer) !== 96) return undefined
  const wordAt = (start: number) => hexToBigInt(slice(answer, start, start + 32))
  return { x: wordAt(0), y: wordAt(32), verifiers: wordAt(64) }
}
