import type { Address } from 'viem'

/**
 * The owner that an account is created with. The account's address is a function of this owner and the
 * deployment.
 */
export type AccountOwner = EoaOwner | PasskeyOwner

/** An externally owned account: a secp256k1 key known by its address. */
export interface EoaOwner {
  readonly kind: 'eoa'
  readonly address: Address
}

/** A WebAuthn credential: a P-256 public key, and the contracts that verify its signatures. */
export interface PasskeyOwner {
  readonly kind: 'passkey'
  readonly x: bigint
  readonly y: bigint
  /** uint176: precompile's 16-bit address ‖ fallback verifier's address. See {@link defaultVerifiers}. */
  readonly verifiers: bigint
}

/**
 * The RIP-7212 / EIP-7951 precompile at 0x100 first, then FCLP256Verifier (safe-passkey-module v0.2.1) where
 * a chain has no precompile. Encoding: `P256.Verifiers` in Safe's passkey module, libraries/P256.sol.
 */
export const defaultVerifiers = (0x0100n << 160n) | 0xa86e0054c51e4894d88762a017ecc5e5235f5dban

/** An EOA as requests and files name it. */
interface NamedEoa {
  readonly address: Address
}

/** A passkey as requests and files name it: numbers may be hex. */
interface NamedPasskey {
  readonly x: bigint | string
  readonly y: bigint | string
  /** Default: {@link defaultVerifiers}. */
  readonly verifiers?: bigint | string | undefined
}

/** The owner that an address or a public key names. */
export function toOwner(named: NamedEoa): EoaOwner
export function toOwner(named: NamedPasskey): PasskeyOwner
export function toOwner(named: NamedEoa | NamedPasskey): AccountOwner
export function toOwner(named: NamedEoa | NamedPasskey): AccountOwner {
  if ('address' in named) return { kind: 'eoa', address: named.address }
  const { x, y, verifiers = defaultVerifiers } = named
  return { kind: 'passkey', x: BigInt(x), y: BigInt(y), verifiers: BigInt(verifiers) }
}

/** The address of an owner that is an EOA. */
export const eoaOf = (owner: AccountOwner): Address | undefined =>
  owner.kind === 'eoa' ? owner.address : undefined
