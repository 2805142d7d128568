import { Screen } from '@lanyard/ui'
import { t } from '../../i18n/t.ts'
import { AddressCard } from './address-card.tsx'
import { BalanceList } from './balance-list.tsx'
import { ProtectionHint } from './protection-hint.tsx'
import { TotalCard } from './total-card.tsx'

/** The balances and the main actions. */
export function HomeScreen() {
  return (
    <Screen title={t('Home')}>
      <div className="grid items-start gap-5 md:grid-cols-[1fr_20rem]">
        <div className="grid gap-5">
          <TotalCard />
          <ProtectionHint />
          <BalanceList />
        </div>
        <AddressCard />
      </div>
    </Screen>
  )
}
