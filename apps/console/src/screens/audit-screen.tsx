import { Button, Screen } from '@lanyard/ui'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { At } from '../ui/ago.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { Table } from '../ui/table.tsx'

type Entry = Outputs['audit']['list']['entries'][number]

export function AuditScreen() {
  const log = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => trpc.audit.list.query(pageParam === null ? {} : { before: pageParam }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ before }) => before,
  })
  return (
    <Screen
      title="Audit log"
      intro="Every act of an operator, in a chain of hashes. lanyard audit exports and checks it."
    >
      {log.error && <ErrorNotice error={log.error} onRetry={() => void log.refetch()} />}
      {log.data && (
        <Table
          caption="Acts, newest first"
          rows={log.data.pages.flatMap(({ entries }) => entries)}
          keyOf={({ position }) => String(position)}
          empty="Nobody has changed anything yet."
          columns={[
            { title: 'No.', cell: ({ position }) => position },
            { title: 'When', cell: ({ at }) => <At at={at} />, isShort: true },
            { title: 'Who', cell: (entry) => <Who {...entry} /> },
            { title: 'Act', cell: ({ act }) => act, isShort: true },
            {
              title: 'On',
              cell: ({ subject }) => <span className="xl:block xl:min-w-28">{subject || '–'}</span>,
            },
            { title: 'Change', cell: (entry) => <Change {...entry} /> },
            { title: 'Hash', cell: ({ hash }) => <ShortHash hash={hash} />, isShort: true },
          ]}
        />
      )}
      {log.hasNextPage && (
        <div>
          <Button variant="secondary" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Screen>
  )
}

const Who = ({ actor, source, identity }: Pick<Entry, 'actor' | 'source' | 'identity'>) => (
  <span className="xl:block xl:min-w-32">
    {actor} from {source}
    {identity !== undefined && <span className="block text-muted text-xs">{describeIdentity(identity)}</span>}
  </span>
)

/** As the service records it: of an identity provider, or break-glass. */
function describeIdentity(identity: unknown): string {
  const { issuer, subject, alone }: Record<string, unknown> = Object(identity)
  if (issuer === undefined) return alone === true ? 'break-glass, alone' : 'break-glass'
  return `${String(subject)} at ${String(issuer)}`
}

function Change({ before, after }: Pick<Entry, 'before' | 'after'>) {
  if (before === null && after === null) return '–'
  const text = (value: unknown) => (value === null ? 'nothing' : JSON.stringify(value))
  return (
    <code className="font-mono text-xs">
      {before === null ? text(after) : `${text(before)} → ${text(after)}`}
    </code>
  )
}
