import { Link } from 'react-router'
import { useNetworks } from '../../networks/use-networks.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { OperationRow } from './operation-row.tsx'
import { useActivity } from './use-activity.ts'

/** Signed operations, newest first. */
export function OperationList() {
  const { data: networks } = useNetworks()
  const activity = useActivity()
  if (activity.error && !activity.data)
    return <ErrorNotice error={activity.error} onRetry={() => void activity.refetch()} />
  if (!activity.data) return <ListSkeleton label="Loading your activity" />

  const operations = activity.data.pages.flatMap((page) => page.activity)
  if (operations.length === 0)
    return (
      <EmptyState
        title="Nothing yet"
        action={
          <Button asChild look="secondary">
            <Link to="/send">Send something</Link>
          </Button>
        }
      >
        What you sign appears here at once, and stays, whatever becomes of it.
      </EmptyState>
    )
  return (
    <div className="grid gap-4">
      <Card>
        <ul className="divide-y divide-line" aria-label="Signed operations">
          {operations.map((operation) => (
            <OperationRow
              key={operation.userOpHash}
              operation={operation}
              network={networks?.find(({ chainId }) => chainId === Number(operation.network))}
            />
          ))}
        </ul>
      </Card>
      {activity.hasNextPage && (
        <Button
          look="secondary"
          className="justify-self-center"
          busy={activity.isFetchingNextPage}
          onClick={() => void activity.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </div>
  )
}
