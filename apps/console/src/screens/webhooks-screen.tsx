import { Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { Loaded } from '../ui/loaded.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { Table } from '../ui/table.tsx'

export function WebhooksScreen() {
  const list = useQuery({
    queryKey: ['webhooks'],
    queryFn: () => trpc.webhooks.list.query(),
    refetchInterval: 10_000,
  })
  return (
    <Screen title="Webhooks" intro="Where events are sent, and how that goes.">
      <Loaded query={list} label="Loading webhooks">
        {({ endpoints }) => (
          <Table
            caption="Webhook endpoints"
            rows={endpoints}
            keyOf={({ id }) => id}
            empty={
              <>
                There is no endpoint yet. <code>lanyard webhooks add</code> makes one: its secret is shown
                only there.
              </>
            }
            columns={[
              { title: 'Endpoint', cell: ({ id }) => <ShortHash hash={id} to={`/webhooks/${id}`} /> },
              { title: 'Host', cell: ({ host }) => host },
              { title: 'Key', cell: ({ keyName }) => keyName },
              { title: 'Events', cell: ({ types }) => (types.length === 0 ? 'all' : types.join(', ')) },
              {
                title: 'State',
                cell: (endpoint) => <EndpointState {...endpoint} />,
              },
              { title: 'Pending', isNumber: true, cell: ({ pending }) => pending },
              { title: 'Missed', isNumber: true, cell: ({ missed }) => missed },
            ]}
          />
        )}
      </Loaded>
    </Screen>
  )
}

export function EndpointState({
  disabledReason,
  failures,
}: {
  disabledReason: string | null
  failures: number
}) {
  if (disabledReason !== null) return <Tag tone="bad">Disabled: {disabledReason}</Tag>
  return failures > 0 ? <Tag tone="waiting">Failing ({failures})</Tag> : <Tag tone="good">Enabled</Tag>
}
