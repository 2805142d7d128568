import { type Address, concat, type Hex, isAddressEqual, size, slice } from 'viem'
import { entryPoint08Address } from 'viem/account-abstraction'

/** The contracts behind an EOA that is its own smart account (EIP-7702). */
export interface DelegatedDeployment {
  readonly kind: 'eip7702'
  /** The contract whose code the EOA runs. */
  readonly delegate: Address
  /** The EntryPoint that `delegate` accepts. */
  readonly entryPoint: Address
}

/**
 * Simple7702Account and EntryPoint of eth-infinitism/account-abstraction v0.8.0, the same on every network:
 * https://github.com/eth-infinitism/account-abstraction/releases/tag/v0.8.0
 */
export const delegatedDeployment = {
  kind: 'eip7702',
  delegate: '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
  entryPoint: entryPoint08Address,
} as const satisfies DelegatedDeployment

/** EIP-7702: the code of a delegated EOA is this, and the address of its delegate. */
const designatorPrefix: Hex = '0xef0100'

/** The code of an EOA that is delegated to `delegate`. */
export const encodeDesignator = (delegate: Address): Hex =>
  concat([designatorPrefix, delegate.toLowerCase() as Hex]) // hex in lower case is still hex

/** The delegate of an account with this code; undefined if the code is no delegation designator. */
function readDesignator(code: Hex | undefined): Address | undefined {
  if (code === undefined || size(code) !== 23) return undefined
  return slice(code, 0, 3).toLowerCase() === designatorPrefix ? slice(code, 3) : undefined
}

/** The state of an EOA on one network, by its code. */
export type DelegationState =
  /** It has no code: it was never delegated, or has revoked its delegation. */
  | { readonly kind: 'undelegated' }
  | { readonly kind: 'delegated' }
  /** It runs the code of another contract. */
  | { readonly kind: 'delegated-elsewhere'; readonly delegate: Address }
  /** It has code of its own: it is a contract, which no authorisation can delegate. */
  | { readonly kind: 'contract' }

export function readDelegation(
  code: Hex | undefined,
  { delegate }: Pick<DelegatedDeployment, 'delegate'> = delegatedDeployment,
): DelegationState {
  if (code === undefined || code === '0x') return { kind: 'undelegated' }
  const found = readDesignator(code)
  if (found === undefined) return { kind: 'contract' }
  return isAddressEqual(found, delegate)
    ? { kind: 'delegated' }
    : { kind: 'delegated-elsewhere', delegate: found }
}

/** Whether a key signs for an address with this code: it has none, or delegates to a contract and signs as before. */
export const isEoaCode = (code: Hex | undefined): boolean => readDelegation(code).kind !== 'contract'

/** `initCode` of an operation that is sent with its sender's authorisation: a marker, padded to an address. */
export const delegationInitCode: Hex = '0x7702000000000000000000000000000000000000'

/** Whether EntryPoint v0.8 takes an `initCode` for an EIP-7702 one: its first 20 bytes are the marker. */
export const isDelegationInitCode = (initCode: Hex): boolean =>
  size(initCode) >= 2 && initCode.slice(0, 42).padEnd(42, '0').toLowerCase() === delegationInitCode
