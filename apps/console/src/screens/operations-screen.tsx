import { Button, Screen } from '@lanyard/ui'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { usePace } from '../api/changes.ts'
import { trpc } from '../api/trpc.ts'
import { Choice } from '../ui/choice.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { OperationTable } from '../ui/operation-table.tsx'
import { SearchInput } from '../ui/search-input.tsx'

const states = {
  '': 'Any state',
  waiting: 'Waiting',
  included: 'Included',
  reverted: 'Reverted',
  dropped: 'Dropped',
} as const
const stateNames = Object.keys(states) as (keyof typeof states)[] // its own keys

/** The search is in the address, so that it can be sent to a colleague. */
export function OperationsScreen() {
  const pace = usePace(10_000)
  const [params, setParams] = useSearchParams()
  const query = params.get('q') ?? ''
  const state = stateNames.find((name) => name === params.get('state')) ?? ''
  const [text, setText] = useState(query)
  const found = useInfiniteQuery({
    queryKey: ['operations', query, state],
    queryFn: ({ pageParam }) =>
      trpc.operations.search.query({
        query,
        ...(state !== '' && { state }),
        ...(pageParam !== null && { before: pageParam }),
      }),
    initialPageParam: null as { at: string; id: string } | null, // widens the literal
    getNextPageParam: ({ before }) => before,
    refetchInterval: pace,
  })
  const search = (next: { q?: string; state?: string }) => {
    const values = { q: text.trim(), state, ...next }
    setParams(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')))
  }
  return (
    <Screen title="Operations">
      <form
        className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_auto]"
        onSubmit={(event) => {
          event.preventDefault()
          search({})
        }}
      >
        <SearchInput
          hint="A hash of an operation, transaction or order; an address; a username"
          value={text}
          onChange={setText}
        />
        <Choice label="State" options={states} value={state} onChange={(next) => search({ state: next })} />
        <Button type="submit" className="sm:mt-7.5">
          Search
        </Button>
      </form>
      {found.error && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && (
        <OperationTable
          operations={found.data.pages.flatMap(({ operations }) => operations)}
          empty={
            query === ''
              ? 'No operation has this state yet.'
              : 'Nothing was found. Unsigned builds are not listed.'
          }
        />
      )}
      {found.hasNextPage && (
        <div>
          <Button
            variant="secondary"
            busy={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            Show older
          </Button>
        </div>
      )}
    </Screen>
  )
}
