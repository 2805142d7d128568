import { nameNetworks } from './name-networks.ts'
import type { Network } from './use-networks.ts'

/** "Local 1 does not answer now", "Local 1 and Local 2 do not answer now". */
export const doNotAnswer = (chainIds: readonly number[], networks: readonly Network[]): string =>
  `${nameNetworks(chainIds, networks)} ${chainIds.length === 1 ? 'does' : 'do'} not answer now`
