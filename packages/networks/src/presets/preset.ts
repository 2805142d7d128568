import type { z } from 'zod'
import type { networkFields } from '../network-fields.ts'

type Fields = z.input<typeof networkFields>

/**
 * What is the same for everyone who uses a network. Left out is what is an operator's own: RPC addresses, a bundler,
 * the contracts that the operator deploys.
 */
export type Preset = Required<
  Pick<
    Fields,
    | 'chainId'
    | 'name'
    | 'explorerUrl'
    | 'nativeCurrency'
    | 'finality'
    | 'settlementToken'
    | 'nativePrice'
    | 'p256Precompile'
    | 'blockTime'
    | 'pollingInterval'
  >
> &
  Pick<Fields, 'l1Fee'>
