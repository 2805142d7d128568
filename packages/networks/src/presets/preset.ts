import type { z } from 'zod'
import type { networkFields } from '../network-fields.ts'

type Fields = z.input<typeof networkFields>

/**
 * The parts of a network's configuration that are the same for everyone. It omits the operator's own
 * settings: RPC addresses, a bundler, the contracts that the operator deploys.
 */
export type Preset = Required<
  Pick<
    Fields,
    | 'chainId'
    | 'name'
    | 'explorerUrl'
    | 'nativeCurrency'
    | 'accountKinds'
    | 'finality'
    | 'nativePrice'
    | 'minPriorityFeePerGas'
    | 'blockTime'
    | 'pollingInterval'
  >
> &
  Pick<
    Fields,
    | 'l1Fee'
    | 'maxPriorityFeePerGas'
    | 'priceFeeds'
    | 'relayerLossPerHour'
    | 'settlementToken'
    | 'testnet'
    | 'p256Precompile'
  >
