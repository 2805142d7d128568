import type { Address, Hex } from 'viem'

/** A contract of a real network that the local networks carry at the same address. */
export interface LocalContract {
  /** The contract's own name. */
  readonly name: string
  /** Where it is on real networks, checksummed. */
  readonly address: Address
  /** Where the bytecode comes from; bytecode is data here, NOTICE.md lists its licences. */
  readonly source: {
    readonly package: string
    readonly version: string
    /** Path of the source within the package, or the symbol that holds the bytecode. */
    readonly path: string
    /** SPDX identifier. */
    readonly license: string
  }
  /** How the code comes to be at {@link address}. */
  readonly placement: Placement
}

type Placement =
  /** The runtime code is put there as it is. */
  | { readonly kind: 'runtime'; readonly code: Hex }
  /** Created by a CREATE2 factory, as on real networks: proves that the bytes are the canonical ones. */
  | { readonly kind: 'create2'; readonly factory: Address; readonly salt: Hex; readonly initCode: Hex }
  /** The constructor runs as that address: same sources as the canonical contract, other compiler metadata. */
  | { readonly kind: 'constructor'; readonly initCode: Hex }
