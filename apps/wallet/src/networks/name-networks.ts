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
