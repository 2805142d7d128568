import { useState } from 'react'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { Card } from '../../ui/card.tsx'
import { TabPanel, Tabs } from '../../ui/tabs.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { AddRecoveryAddress } from './add-recovery-address.tsx'

const tabs = [
  { value: 'address', label: 'Recovery address' },
  { value: 'passkey', label: 'Another passkey' },
] as const

/** The two kinds of further owners, and what each is good for. */
export function AddOwner({ onChange }: { onChange: (change: OwnerChange) => void }) {
  const [tab, setTab] = useState<(typeof tabs)[number]['value']>('address')
  return (
    <Card aria-labelledby="add-owner" className="grid gap-4 p-5">
      <h2 id="add-owner" tabIndex={-1} className="scroll-mt-6 font-semibold">
        Add an owner
      </h2>
      <Tabs label="Kind of owner" value={tab} onChange={setTab} tabs={tabs}>
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
