import { nameNetworks } from './name-networks.ts'
import type { Network } from './use-networks.ts'

/** Produces "Local 1 is not responding" or "Local 1 and Local 2 are not responding". */
export const doNotAnswer = (chainIds: readonly number[], networks: readonly Network[]): string =>
  `${nameNetworks(chainIds, networks)} ${chainIds.length === 1 ? 'is' : 'are'} not responding`
