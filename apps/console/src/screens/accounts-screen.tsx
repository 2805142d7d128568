import { Button, Screen } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { trpc } from '../api/trpc.ts'
import { Loaded } from '../ui/loaded.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { Section } from '../ui/section.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { Table } from '../ui/table.tsx'

export function AccountsScreen() {
  const [params, setParams] = useSearchParams()
  const query = params.get('q') ?? ''
  const [text, setText] = useState(query)
  const found = useQuery({
    queryKey: ['accounts', query],
    queryFn: () => trpc.accounts.search.query({ query }),
  })
  return (
    <Screen title="Accounts">
      <form
        className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]"
        onSubmit={(event) => {
          event.preventDefault()
          setParams(text.trim() === '' ? {} : { q: text.trim() })
        }}
      >
        <SearchInput
          hint="A username or a part of it, an account's address, or its first owner"
          value={text}
          onChange={setText}
        />
        <Button type="submit" className="sm:mt-7.5">
          Search
        </Button>
      </form>
      <Loaded query={found} label="Searching accounts">
        {({ accounts, isRecent }) => (
          <Section title={isRecent ? 'Active last' : 'Found'}>
            <Table
              caption="Accounts"
              rows={accounts}
              keyOf={({ address }) => address}
              empty={isRecent ? 'No account has been active yet.' : 'No account was found.'}
              columns={[
                { title: 'User', cell: ({ username }) => username },
                {
                  title: 'Account',
                  cell: ({ address }) => <ShortHash hash={address} to={`/accounts/${address}`} />,
                },
              ]}
            />
          </Section>
        )}
      </Loaded>
    </Screen>
  )
}
