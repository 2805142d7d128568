import {
  Button,
  Card,
  Details,
  Field,
  Input,
  ListSkeleton,
  regionalLocale,
  Screen,
  useDebounced,
} from '@lanyard/ui'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ChevronDown, Download } from 'lucide-react'
import { Fragment, useEffect, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { actWords } from '../ui/act-words.ts'
import { Clock } from '../ui/ago.tsx'
import { whole } from '../ui/amounts.ts'
import { ChangedMember } from '../ui/changed-members.tsx'
import { Choice } from '../ui/choice.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'

type Entry = Outputs['audit']['list']['entries'][number]

const filters = ['text', 'actor', 'act', 'from', 'to'] as const
type Filter = Partial<Record<(typeof filters)[number], string>>

/** A day of this browser's calendar, as the service filters: from its beginning, to its end. */
function toQuery({ from, to, ...others }: Filter) {
  const begins = (day: string, later: number) => {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
    return new Date(year, month - 1, date + later).toISOString()
  }
  return { ...others, ...(from && { from: begins(from, 0) }), ...(to && { to: begins(to, 1) }) }
}

/** The filters are in the address, so that they can be sent to a colleague; the export is of what they leave. */
export function AuditScreen() {
  const [params, setParams] = useSearchParams()
  const filter: Filter = Object.fromEntries(
    filters.flatMap((name) => {
      const value = params.get(name)
      const isDay = name === 'from' || name === 'to'
      return value && (!isDay || /^\d{4}-\d{2}-\d{2}$/.test(value)) ? [[name, value]] : []
    }),
  )
  const query = toQuery(filter)
  const log = useInfiniteQuery({
    queryKey: ['audit', query],
    queryFn: ({ pageParam }) =>
      trpc.audit.list.query({ ...query, ...(pageParam !== null && { before: pageParam }) }),
    initialPageParam: null as number | null, // widens the literal
    getNextPageParam: ({ before }) => before,
    placeholderData: keepPreviousData,
  })
  const counted = useQuery({
    queryKey: ['audit-count', query],
    queryFn: () => trpc.audit.count.query(query),
    placeholderData: keepPreviousData,
  })
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? []
  const change = (next: Filter) =>
    setParams(Object.fromEntries(Object.entries({ ...filter, ...next }).filter(([, value]) => value)), {
      replace: true,
    })
  const count = counted.data && `${counted.data.isMore ? 'more than ' : ''}${whole(counted.data.count)}`
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Screen
      title="Audit log"
      intro="What operators and the service did, and what it changed. Nobody can edit it."
      aside={
        counted.data &&
        counted.data.count > 0 && (
          <div className="flex flex-wrap gap-2">
            <Export query={query} format="csv" label={`Export ${count} as CSV`} />
            <Export query={query} format="ndjson" label="As NDJSON" />
          </div>
        )
      }
    >
      <Filters filter={filter} onChange={change} />
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2 text-muted text-sm">
        <p role="status">{count && `${count} ${counted.data?.count === 1 ? 'act' : 'acts'}`}</p>
        {isFiltered && (
          <Button variant="quiet" size="small" onClick={() => setParams({}, { replace: true })}>
            Show all
          </Button>
        )}
      </div>
      {log.error && <ErrorNotice error={log.error} onRetry={() => void log.refetch()} />}
      {log.isPending && <ListSkeleton label="Loading acts" />}
      {log.data && entries.length === 0 && (
        <p className="text-muted text-sm">
          {isFiltered
            ? 'No act matches. Show all, or choose another day.'
            : 'Nobody has changed anything yet.'}
        </p>
      )}
      {entries.length > 0 && (
        <Card className="overflow-hidden">
          <div
            aria-hidden="true"
            className={`hidden border-line border-b px-4 py-2.5 font-medium text-muted text-sm lg:grid ${columns}`}
          >
            <span>When</span>
            <span>Who</span>
            <span>Did</span>
            <span>To</span>
            <span>Changed</span>
          </div>
          {[...Map.groupBy(entries, ({ at }) => dayOf(at))].map(([day, acts]) => (
            <Fragment key={day}>
              <h2 className="border-line border-b bg-paper px-4 py-2 font-medium text-muted text-xs">
                {day}
              </h2>
              <ul>
                {acts.map((entry) => (
                  <Act key={entry.position} entry={entry} />
                ))}
              </ul>
            </Fragment>
          ))}
          <div className="flex flex-wrap items-center justify-between gap-2 px-4 py-2 text-muted text-sm">
            <span>
              {whole(entries.length)} of {count}
            </span>
            {log.hasNextPage && (
              <Button variant="quiet" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                Older
              </Button>
            )}
          </div>
        </Card>
      )}
    </Screen>
  )
}

const columns = 'lg:grid-cols-[6.5rem_minmax(0,10rem)_minmax(0,14rem)_minmax(0,1fr)_8rem_1.5rem] lg:gap-x-4'

const weekday = new Intl.DateTimeFormat(regionalLocale, { dateStyle: 'full' })

function dayOf(at: string): string {
  const date = new Date(at)
  const today = new Date()
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  const text = weekday.format(date)
  if (text === weekday.format(today)) return `Today, ${text}`
  return text === weekday.format(yesterday) ? `Yesterday, ${text}` : text
}

function Export({
  query,
  format,
  label,
}: {
  query: Readonly<Record<string, string | undefined>>
  format: 'csv' | 'ndjson'
  label: string
}) {
  const given = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(query)) if (value) given.set(name, value)
  return (
    <Button variant="secondary" asChild>
      <a href={`/audit/export?${given}`} download>
        <Download className="size-4" aria-hidden="true" />
        {label}
      </a>
    </Button>
  )
}

function Filters({ filter, onChange }: { filter: Filter; onChange: (next: Filter) => void }) {
  const [text, setText] = useState(filter.text ?? '')
  const settled = useDebounced(text.trim())
  const choices = useQuery({ queryKey: ['audit-choices'], queryFn: () => trpc.audit.choices.query() })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed changes the address
  useEffect(() => {
    if (settled !== (filter.text ?? '')) onChange({ text: settled })
  }, [settled])
  // One that is in the address stays, although it did not happen lately.
  const known = (values: readonly string[] = [], chosen = '') =>
    [...new Set([...values, chosen])].filter((value) => value !== '')
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_11rem_14rem_10rem_10rem]">
      <Field label="Search">
        {(control) => (
          <Input
            {...control}
            type="search"
            placeholder="A name, a key, an address"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Choice
        label="Who"
        options={{
          '': 'Everyone',
          ...Object.fromEntries(known(choices.data?.actors, filter.actor).map((actor) => [actor, actor])),
        }}
        value={filter.actor ?? ''}
        onChange={(actor) => onChange({ actor })}
      />
      <Choice
        label="Act"
        options={{
          '': 'All',
          ...Object.fromEntries(known(choices.data?.acts, filter.act).map((act) => [act, actWords(act)])),
        }}
        value={filter.act ?? ''}
        onChange={(act) => onChange({ act })}
      />
      {(['from', 'to'] as const).map((name) => (
        <Field key={name} label={name === 'from' ? 'From' : 'To'}>
          {(control) => (
            <Input
              {...control}
              type="date"
              value={filter[name] ?? ''}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </div>
  )
}

function Act({ entry }: { entry: Entry }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { at, actor, act, subject, changes } = entry
  return (
    <li className="border-line border-b">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className={`grid min-h-12 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2 text-left text-sm hover:bg-sunken ${columns}`}
      >
        <span className="text-muted">
          <Clock at={at} />
        </span>
        <span className="wrap-anywhere font-medium max-lg:col-start-1">{actor.replace(/^console:/, '')}</span>
        <span className="wrap-anywhere max-lg:col-start-1">{actWords(act)}</span>
        <span className="wrap-anywhere max-lg:col-start-1">{subject || '–'}</span>
        <span className="text-muted max-lg:col-start-1">{membersOf(changes.length)}</span>
        <ChevronDown
          className={`size-4 text-muted transition-transform max-lg:col-start-2 max-lg:row-start-1 ${isOpen ? 'rotate-180' : ''}`}
          aria-hidden="true"
        />
      </button>
      {isOpen && (
        <div id={id} className="grid gap-3 bg-paper px-4 pb-4 lg:pl-32">
          <Changes changes={changes} />
          <Recorded {...entry} />
        </div>
      )}
    </li>
  )
}

const membersOf = (count: number) => (count === 0 ? '' : count === 1 ? '1 member' : `${count} members`)

function Changes({ changes }: Pick<Entry, 'changes'>) {
  return [...Map.groupBy(changes, ({ of }) => of)].map(([policy, members]) => (
    <div key={policy} className="grid gap-2 pt-2">
      {policy !== null && <p className="font-medium text-sm">{policy}</p>}
      {members.map(({ of: _of, ...member }) => (
        <ChangedMember key={member.path} {...member} isNew />
      ))}
    </div>
  ))
}

function Recorded({ same, before, after, source, identity, position, hash, act }: Entry) {
  const text = [
    before === null ? undefined : `Before: ${before}`,
    after === null ? undefined : `After: ${after}`,
    `${act}, hash ${hash}`,
  ]
    .filter((line) => line !== undefined)
    .join('\n')
  return (
    <>
      <p className="wrap-anywhere text-muted text-xs">
        from {source} {identity !== null && `· ${identity} `}· act {whole(position)}
      </p>
      <Details
        summary={
          same > 0
            ? `${same} other ${same === 1 ? 'member is' : 'members are'} as before: show them`
            : 'As it is recorded'
        }
      >
        <pre className="wrap-anywhere max-h-96 overflow-y-auto whitespace-pre-wrap font-mono text-xs">
          {text}
        </pre>
      </Details>
    </>
  )
}
