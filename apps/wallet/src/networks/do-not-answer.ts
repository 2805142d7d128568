import { t } from '../i18n/t.ts'
import { nameNetworks } from './name-networks.ts'
import type { Network } from './use-networks.ts'

/** Produces "Local 1 is not responding" or "Local 1 and Local 2 are not responding". */
export const doNotAnswer = (chainIds: readonly number[], networks: readonly Network[]): string =>
  t('{networks} {count, plural, one {is not responding} other {are not responding}}', {
    count: chainIds.length,
    networks: nameNetworks(chainIds, networks),
  })
