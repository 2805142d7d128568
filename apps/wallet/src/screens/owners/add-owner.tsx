import type { OwnerChange } from '../../owners/owner-change.ts'
import { useSession } from '../../session/session-context.tsx'
import { Card } from '../../ui/card.tsx'
import { TabPanel, Tabs } from '../../ui/tabs.tsx'
import { useStoredDraft } from '../../ui/use-stored-draft.ts'
import { AddPasskey } from './add-passkey.tsx'
import { AddRecoveryAddress } from './add-recovery-address.tsx'

const tabs = [
  { value: 'address', label: 'Recovery address' },
  { value: 'passkey', label: 'Another passkey' },
] as const

type Tab = (typeof tabs)[number]['value']

/** The two kinds of additional owners, and what each is for. */
export function AddOwner({ onChange }: { onChange: (change: OwnerChange) => void }) {
  const { account } = useSession()
  const { draft, change } = useStoredDraft<{ tab: Tab }>(`owner-kind.${account}`, { tab: 'address' })
  return (
    <Card aria-labelledby="add-owner" className="grid gap-4 p-5">
      <h2 id="add-owner" tabIndex={-1} className="scroll-mt-6 font-semibold">
        Add an owner
      </h2>
      <Tabs label="Kind of owner" value={draft.tab} onChange={(tab) => change({ tab })} tabs={tabs}>
        <TabPanel value="address" className="mt-5">
          <AddRecoveryAddress onChange={onChange} />
        </TabPanel>
        <TabPanel value="passkey" className="mt-5">
          <AddPasskey onChange={onChange} />
        </TabPanel>
      </Tabs>
    </Card>
  )
}
