import type { Address, Hex } from 'viem'

/** A contract of a real network that local networks have at the same address. */
export interface LocalContract {
  /** The contract's own name. */
  readonly name: string
  /** Its address on real networks, checksummed. */
  readonly address: Address
  /** The source of the bytecode. NOTICE.md lists the licences of bytecode used here as data. */
  readonly source: {
    readonly package: string
    readonly version: string
    /** Path of the source within the package, or the symbol that contains the bytecode. */
    readonly path: string
    /** SPDX identifier. */
    readonly license: string
  }
  /** How the code is placed at {@link address}. */
  readonly placement: Placement
}

type Placement =
  /** The runtime code is set directly. */
  | { readonly kind: 'runtime'; readonly code: Hex }
  /**
   * Created by a CREATE2 factory, as on real networks, which proves that the bytes are the canonical ones.
   */
  | { readonly kind: 'create2'; readonly factory: Address; readonly salt: Hex; readonly initCode: Hex }
  /**
   * The constructor runs at that address: the source is the canonical contract's, the compiler metadata
   * differs.
   */
  | { readonly kind: 'constructor'; readonly initCode: Hex }
