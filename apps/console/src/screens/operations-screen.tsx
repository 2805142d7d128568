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
import { useNetworks } from '../ui/use-networks.ts'

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
  const network = Number(params.get('network')) || undefined
  const networks = useNetworks()
  const [text, setText] = useState(query)
  const found = useInfiniteQuery({
    queryKey: ['operations', query, state, network],
    queryFn: ({ pageParam }) =>
      trpc.operations.search.query({
        query,
        ...(state !== '' && { state }),
        ...(network !== undefined && { network }),
        ...(pageParam !== null && { before: pageParam }),
      }),
    initialPageParam: null as { at: string; id: string } | null, // widens the literal
    getNextPageParam: ({ before }) => before,
    refetchInterval: pace,
  })
  const search = (next: { q?: string; state?: string; network?: string }) => {
    const values = { q: text.trim(), state, network: String(network ?? ''), ...next }
    setParams(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')))
  }
  return (
    <Screen title="Operations">
      <form
        className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_10rem_10rem_auto]"
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
        <Choice
          label="Network"
          options={{
            '': 'Any network',
            ...Object.fromEntries(networks.map((one) => [String(one.network), one.name])),
          }}
          value={String(network ?? '')}
          onChange={(next) => search({ network: next })}
        />
        <Button type="submit" className="sm:mt-7.5">
          Search
        </Button>
      </form>
      {found.error && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && (
        <OperationTable
          operations={found.data.pages.flatMap(({ operations }) => operations)}
          empty={
            query === '' ? 'No such operation yet.' : 'Nothing was found. Unsigned builds are not listed.'
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
