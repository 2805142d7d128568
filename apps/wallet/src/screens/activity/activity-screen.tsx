import { useState } from 'react'
import { Screen } from '../../ui/screen.tsx'
import { TabPanel, Tabs } from '../../ui/tabs.tsx'
import { OperationList } from './operation-list.tsx'
import { TransferList } from './transfer-list.tsx'

const tabs = [
  { value: 'signed', label: 'Signed by you' },
  { value: 'received', label: 'Received' },
] as const

/** What the account did and is doing, and what it received. */
export function ActivityScreen() {
  const [tab, setTab] = useState<(typeof tabs)[number]['value']>('signed')
  return (
    <Screen title="Activity" narrow>
      <Tabs label="Kind of activity" value={tab} onChange={setTab} tabs={tabs}>
        <TabPanel value="signed" className="mt-5">
          <OperationList />
        </TabPanel>
        <TabPanel value="received" className="mt-5">
          <TransferList />
        </TabPanel>
      </Tabs>
    </Screen>
  )
}
