import { Card } from '@lanyard/wallet/src/ui/card.tsx'
import { CopyButton } from '@lanyard/wallet/src/ui/copy-button.tsx'
import { Fact } from '@lanyard/wallet/src/ui/fact.tsx'
import { Notice } from '@lanyard/wallet/src/ui/notice.tsx'
import { Screen } from '@lanyard/wallet/src/ui/screen.tsx'
import { Tag } from '@lanyard/wallet/src/ui/tag.tsx'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { Ago } from '../ui/ago.tsx'
import { coins, tokens } from '../ui/amounts.ts'
import { Loaded } from '../ui/loaded.tsx'
import { OperationTable } from '../ui/operation-table.tsx'
import { Section } from '../ui/section.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { Table } from '../ui/table.tsx'
import { useNetworkName } from '../ui/use-networks.ts'

type Account = Outputs['accounts']['detail']

export function AccountScreen() {
  const { address = '' } = useParams()
  const account = useQuery({
    queryKey: ['account', address],
    queryFn: () => trpc.accounts.detail.query({ address }),
  })
  const operations = useQuery({
    queryKey: ['operations', address],
    queryFn: () => trpc.operations.search.query({ query: address }),
  })
  return (
    <Screen title="Account">
      <div className="flex flex-wrap items-center gap-3">
        <code className="wrap-anywhere font-mono text-sm">{address}</code>
        <CopyButton text={address} label="Copy the address" />
      </div>
      <Loaded query={account} label="Loading the account">
        {(data) => <Parts data={data} />}
      </Loaded>
      <Section title="Operations">
        <Loaded query={operations} label="Loading operations">
          {(data) => <OperationTable operations={data.operations} empty="It has signed nothing yet." />}
        </Loaded>
      </Section>
    </Screen>
  )
}

function Parts({ data }: { data: Account }) {
  const nameOf = useNetworkName()
  return (
    <>
      {data.suspensions.map(({ network, reason, until }) => (
        <Notice key={network} tone="warning" title={`No sponsorship on ${nameOf(network)}`}>
          {reason} Until <Ago at={until} />.
        </Notice>
      ))}
      {data.owed.map(({ network, wei }) => (
        <Notice key={network} tone="warning" title={`Owes gas on ${nameOf(network)}`}>
          {coins(wei)}: its next build repays it.
        </Notice>
      ))}
      <div className="grid gap-5 lg:grid-cols-2">
        <Section title="User">
          <Card className="p-4">
            <dl className="grid gap-2 text-sm">
              <Fact term="Name">{data.username}</Fact>
              <Fact term="First owner">
                {data.firstOwner === null ? 'a passkey' : <ShortHash hash={data.firstOwner} />}
              </Fact>
              <Fact term="Since">
                <Ago at={data.createdAt} />
              </Fact>
            </dl>
          </Card>
        </Section>
        <Section title="Passkeys">
          <Table
            caption="Passkeys"
            rows={data.passkeys}
            keyOf={({ createdAt, label }) => `${createdAt} ${label}`}
            empty="It has no passkey: an EOA signs."
            columns={[
              {
                title: 'Passkey',
                cell: ({ label, firstOwner }) => (
                  <>
                    {label} {firstOwner && <Tag>First owner</Tag>}
                  </>
                ),
              },
              { title: 'Backed up', cell: ({ backedUp }) => (backedUp ? 'yes' : 'no') },
              { title: 'Last used', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
            ]}
          />
        </Section>
        <Section title="Deposits">
          <Table
            caption="Deposits in the smart balance"
            rows={data.deposits}
            keyOf={({ network }) => String(network)}
            empty="It has no deposit in the smart balance."
            columns={[
              { title: 'Network', cell: ({ network }) => nameOf(network) },
              { title: 'Balance', isNumber: true, cell: ({ balance }) => tokens(balance) },
              { title: 'Leaving', isNumber: true, cell: ({ exiting }) => tokens(exiting) },
            ]}
          />
        </Section>
        <Section title="Networks">
          <Table
            caption="Operations by network"
            rows={data.networks}
            keyOf={({ network }) => String(network)}
            empty="It has signed nothing yet."
            columns={[
              { title: 'Network', cell: ({ network }) => nameOf(network) },
              { title: 'Operations', isNumber: true, cell: ({ operations }) => operations },
              { title: 'Last', isNumber: true, cell: ({ lastAt }) => <Ago at={lastAt} /> },
            ]}
          />
        </Section>
      </div>
      {data.orders.length > 0 && (
        <Section title="Orders">
          <Table
            caption="Orders"
            rows={data.orders}
            keyOf={({ id }) => id}
            empty=""
            columns={[
              { title: 'Order', cell: ({ id }) => <ShortHash hash={id} to={`/operations?q=${id}`} /> },
              { title: 'To', cell: ({ network }) => nameOf(network) },
              { title: 'State', cell: ({ state }) => <Tag>{state}</Tag> },
              { title: 'Amount', isNumber: true, cell: ({ amount }) => tokens(amount) },
              { title: 'Reserved', cell: ({ at }) => <Ago at={at} /> },
            ]}
          />
        </Section>
      )}
    </>
  )
}
