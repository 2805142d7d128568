import { Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { usePace } from '../api/changes.ts'
import { trpc } from '../api/trpc.ts'
import { Ago } from '../ui/ago.tsx'
import { coins, tokens } from '../ui/amounts.ts'
import { Loaded } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { Table } from '../ui/table.tsx'
import { useNetworkName } from '../ui/use-networks.ts'

export function BalanceScreen() {
  const pace = usePace(10_000)
  const nameOf = useNetworkName()
  const balance = useQuery({
    queryKey: ['balance'],
    queryFn: () => trpc.balance.read.query(),
    refetchInterval: pace,
  })
  return (
    <Screen title="Smart balance" intro="What the operator lends, and what is still to be collected.">
      <Loaded query={balance} label="Loading the smart balance">
        {(data) => (
          <>
            <Section title="Liquidity">
              <Table
                caption="Liquidity by network"
                rows={data.networks}
                keyOf={({ network }) => String(network)}
                empty="No network has a smart balance."
                columns={[
                  { title: 'Network', cell: ({ network }) => nameOf(network) },
                  {
                    title: 'Available',
                    isNumber: true,
                    cell: ({ liquidity }) => (liquidity === null ? 'no answer' : tokens(liquidity)),
                  },
                  { title: 'Promised', isNumber: true, cell: ({ reserved }) => tokens(reserved) },
                  { title: 'Lent', isNumber: true, cell: ({ lent }) => tokens(lent) },
                  { title: 'To collect here', isNumber: true, cell: ({ due }) => tokens(due) },
                ]}
              />
            </Section>
            <Section title="Open orders">
              <Table
                caption="Open orders, newest first"
                rows={data.orders}
                keyOf={({ id }) => id}
                empty="No order is open."
                columns={[
                  {
                    title: 'Order',
                    cell: ({ id, hash }) => (
                      <ShortHash
                        hash={id}
                        to={hash === null ? `/operations?q=${id}` : `/operations/${hash}`}
                      />
                    ),
                  },
                  {
                    title: 'Account',
                    cell: ({ account }) => <ShortHash hash={account} to={`/accounts/${account}`} />,
                  },
                  { title: 'To', cell: ({ network }) => nameOf(network) },
                  { title: 'State', cell: ({ state }) => <Tag>{state}</Tag> },
                  { title: 'Amount', isNumber: true, cell: ({ amount }) => tokens(amount) },
                  { title: 'Fee', isNumber: true, cell: ({ fee }) => tokens(fee) },
                  {
                    title: 'Attested by',
                    cell: ({ attestors }) => (attestors.length === 0 ? '–' : `${attestors.length} attestors`),
                  },
                  { title: 'Reserved', cell: ({ reservedAt }) => <Ago at={reservedAt} /> },
                ]}
              />
            </Section>
            <div className="grid gap-5 lg:grid-cols-2">
              <Section title="Settlement">
                <Table
                  caption="Debits that are still open"
                  rows={data.debits}
                  keyOf={({ network, state }) => `${network} ${state}`}
                  empty="Everything is collected."
                  columns={[
                    { title: 'From', cell: ({ network }) => nameOf(network) },
                    { title: 'State', cell: ({ state }) => <Tag>{state}</Tag> },
                    { title: 'Debits', isNumber: true, cell: ({ count }) => count },
                    { title: 'Amount', isNumber: true, cell: ({ open }) => tokens(open) },
                  ]}
                />
              </Section>
              <Section title="Top-ups of the gas deposit">
                <Table
                  caption="The last top-ups"
                  rows={data.topUps}
                  keyOf={({ txnHash }) => txnHash}
                  empty="There was none yet."
                  columns={[
                    { title: 'Network', cell: ({ network }) => nameOf(network) },
                    { title: 'Amount', isNumber: true, cell: ({ amount }) => coins(amount) },
                    {
                      title: 'State',
                      cell: ({ final }) => (final ? <Tag tone="good">Final</Tag> : <Tag>Sent</Tag>),
                    },
                    { title: 'Sent', cell: ({ at }) => <Ago at={at} /> },
                  ]}
                />
              </Section>
            </div>
          </>
        )}
      </Loaded>
    </Screen>
  )
}
