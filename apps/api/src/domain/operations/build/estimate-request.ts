import type { Call } from '@lanyard/accounts'
import type { Bundler } from '@lanyard/bundler'
import type { OperationSigner } from '../operation-signer.ts'
import type { Payer } from '../payer.ts'
import type { BuildTarget } from './build-target.ts'

export interface EstimateRequest extends BuildTarget {
  readonly bundler: Bundler
  readonly calls: readonly Call[]
  readonly payer: Payer
  readonly allowRevert: boolean
  /** Absent: the account's first owner. */
  readonly signer?: OperationSigner | undefined
  /** How many of the calls the caller did not send: the service put them in front. */
  readonly prepended?: number | undefined
}
