import { locale } from '@lanyard/ui'
import { t } from '../i18n/t.ts'
import type { Network } from './use-networks.ts'

/** Lists network names for running text. */
export function nameNetworks(chainIds: readonly number[], networks: readonly Network[]): string {
  const names = chainIds.map(
    (id) => networks.find(({ chainId }) => chainId === id)?.name ?? t('network {id}', { id }),
  )
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(names)
}

/** Produces "Local 1 is not responding" or "Local 1 and Local 2 are not responding". */
export const doNotAnswer = (chainIds: readonly number[], networks: readonly Network[]): string =>
  t('{networks} {count, plural, one {is not responding} other {are not responding}}', {
    count: chainIds.length,
    networks: nameNetworks(chainIds, networks),
  })
