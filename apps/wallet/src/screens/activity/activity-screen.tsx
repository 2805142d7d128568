import { useSearchParams } from 'react-router'
import { useNetworks } from '../../networks/use-networks.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabPanel, Tabs } from '../../ui/tabs.tsx'
import { OperationList } from './operation-list.tsx'
import { OrderList } from './order-list.tsx'
import { TransferList } from './transfer-list.tsx'

const tabs = [
  { value: 'signed', label: 'Signed' },
  { value: 'orders', label: 'Payments' },
  { value: 'received', label: 'Received' },
] as const

/** What the account did and is doing, and what it received. */
export function ActivityScreen() {
  const { data: networks } = useNetworks()
  const [search, setSearch] = useSearchParams()
  const offered = networks?.some(({ smartBalance }) => smartBalance)
    ? tabs
    : tabs.filter(({ value }) => value !== 'orders')
  const tab = offered.find(({ value }) => value === search.get('tab'))?.value ?? 'signed'
  return (
    <Screen title="Activity" narrow>
      <Tabs
        label="Kind of activity"
        value={tab}
        onChange={(next) => setSearch({ tab: next }, { replace: true })}
        tabs={offered}
      >
        <TabPanel value="signed" className="mt-5">
          <OperationList />
        </TabPanel>
        <TabPanel value="orders" className="mt-5">
          <OrderList />
        </TabPanel>
        <TabPanel value="received" className="mt-5">
          <TransferList />
        </TabPanel>
      </Tabs>
    </Screen>
  )
}
