import { t } from '../../i18n/t.ts'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { Card } from '../../ui/card.tsx'
import { TabPanel, Tabs } from '../../ui/tabs.tsx'
import { useStoredDraft } from '../../ui/use-stored-draft.ts'
import { AddPasskey } from './add-passkey.tsx'
import { AddRecoveryAddress } from './add-recovery-address.tsx'
import { AddRecoveryKey } from './add-recovery-key.tsx'

const tabs = [
  { value: 'passkey', label: t('Passkey') },
  { value: 'key', label: t('Recovery key') },
  { value: 'address', label: t('Address') },
] as const

type Tab = (typeof tabs)[number]['value']

/** The kinds of additional owners, the simplest first: an address that signs is for experts. */
export function AddOwner({ onChange }: { onChange: (change: OwnerChange) => void }) {
  const { account } = useSession()
  const { draft, change } = useStoredDraft<{ tab: Tab }>(`owner-kind.${account}`, { tab: 'passkey' })
  return (
    <Card aria-labelledby="add-owner" className="grid gap-4 p-5">
      <h2 id="add-owner" tabIndex={-1} className="scroll-mt-6 font-semibold">
        {t('Add an owner')}
      </h2>
      <Tabs label={t('Kind of owner')} value={draft.tab} onChange={(tab) => change({ tab })} tabs={tabs}>
        <TabPanel value="passkey" className="mt-5">
          <AddPasskey onChange={onChange} />
        </TabPanel>
        <TabPanel value="key" className="mt-5">
          <AddRecoveryKey onChange={onChange} />
        </TabPanel>
        <TabPanel value="address" className="mt-5">
          <AddRecoveryAddress onChange={onChange} />
        </TabPanel>
      </Tabs>
    </Card>
  )
}
