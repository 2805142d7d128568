import type { Hex } from 'viem'

interface OwnedAccount {
  /** Of its EOA. Only for this test. */
  readonly key: Hex
  readonly address: string
}

/** What callers and the operator of a frozen release have. */
export interface Snapshot {
  readonly version: string
  /** Environment variables. */
  readonly settings: Readonly<Record<string, string>>
  /** Chain id. */
  readonly network: string
  /** It has paid once. */
  readonly spent: OwnedAccount
  /** It was created, and has done nothing. */
  readonly fresh: OwnedAccount
  readonly operation: string
  /** Of the user of `fresh`. Valid for a century. */
  readonly token: string
  readonly databaseKey: string
  readonly publishableKey: string
  readonly webhook: { readonly id: string; readonly secret: string }
  /** GET requests, with what was answered. */
  readonly requests: { readonly path: string; readonly status: number; readonly answer: unknown }[]
}
