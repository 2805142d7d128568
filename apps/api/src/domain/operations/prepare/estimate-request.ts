import type { Call } from '@lanyard/accounts'
import type { Bundler } from '@lanyard/bundler'
import type { AnyWallet } from '../../accounts/accounts/wallet.ts'
import type { OperationFeatures } from '../operation-features.ts'
import type { OperationSigner } from '../operation-signer.ts'
import type { Payer } from '../payer.ts'
import type { BuildTarget } from './build-target.ts'

export interface EstimateRequest extends BuildTarget<AnyWallet> {
  readonly bundler: Bundler
  readonly features: Pick<OperationFeatures, 'revertDecoders'>
  readonly calls: readonly Call[]
  readonly payer: Payer
  readonly allowRevert: boolean
  /** Absent: the account's first owner. */
  readonly signer?: OperationSigner | undefined
  /** Number of calls that the service put in front of the caller's calls. */
  readonly prepended?: number | undefined
}
