import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FullAddress } from '../../ui/full-address.tsx'
import { Input } from '../../ui/input.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { looksLikeAddress, type Recipient } from './recipient.ts'

interface RecipientFieldProps {
  readonly text: string
  /** A user that was chosen from the list. */
  readonly chosen: Recipient | undefined
  readonly error: string | undefined
  readonly onText: (text: string) => void
  readonly onChoose: (recipient: Recipient | undefined) => void
}

/** To whom: an address, or a user of this service found by name. */
export function RecipientField({ text, chosen, error, onText, onChoose }: RecipientFieldProps) {
  const query = useDebounced(text.trim())
  const searching = !chosen && query.length >= 2 && !looksLikeAddress(query)
  const found = useQuery({
    queryKey: ['search', query],
    queryFn: ({ signal }) => trpc.user.search.query({ query }, { signal }),
    enabled: searching,
  })

  if (chosen?.username)
    return (
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">To</p>
        <div className="flex items-start justify-between gap-2 rounded-field border border-line bg-surface p-3">
          <div className="grid min-w-0 gap-1">
            <p className="truncate font-medium">{chosen.username}</p>
            <FullAddress address={chosen.address} />
          </div>
          <Button
            look="quiet"
            size="small"
            aria-label={`Choose somebody else than ${chosen.username}`}
            onClick={() => onChoose(undefined)}
          >
            <X className="size-4" aria-hidden="true" />
          </Button>
        </div>
      </div>
    )

  const results = searching ? found.data?.result : undefined
  const nobody = searching && found.data && found.data.result.length === 0
  return (
    <div className="grid gap-1.5">
      <Field
        label="To"
        error={error ?? (nobody ? `Nobody here is called “${query}”.` : undefined)}
        hint={
          searching && found.isFetching ? 'Searching…' : 'An address, or the name of a user of this service.'
        }
      >
        {(control) => (
          <Input
            {...control}
            value={text}
            placeholder="0x… or a username"
            onChange={(event) => onText(event.target.value)}
          />
        )}
      </Field>
      {results && results.length > 0 && (
        <ul aria-label="Users found" className="overflow-hidden rounded-field border border-line bg-surface">
          {results.map(({ username, wallet_address }) => (
            <li key={wallet_address} className="border-line border-b last:border-b-0">
              <button
                type="button"
                onClick={() => onChoose({ username, address: wallet_address })}
                className="flex w-full items-baseline justify-between gap-3 px-3 py-2.5 text-left hover:bg-sunken focus-visible:outline-offset-[-2px]"
              >
                <span className="truncate font-medium">{username}</span>
                <span className="shrink-0 font-mono text-muted text-xs">
                  {wallet_address.slice(0, 6)}…{wallet_address.slice(-4)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
