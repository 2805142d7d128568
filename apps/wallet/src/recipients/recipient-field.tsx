import { isNameServiceName } from '@lanyard/contracts'
import { Button, Field, FullAddress, Identicon, Input, useDebounced } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { ClipboardPaste } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'
import { t } from '../i18n/t.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { ContactControls } from './contact-controls.tsx'
import { type KnownRecipient, readRecipients } from './known-recipients.ts'
import { looksLikeAddress, type Recipient, readRecipient } from './recipient.ts'

interface RecipientFieldProps {
  /** Default: "To". */
  readonly label?: string
  readonly text: string
  /** The recipient chosen from the list or found by the typed name. */
  readonly chosen: Recipient | undefined
  readonly error: string | undefined
  /** Looks like somebody else, and is not confirmed yet: it is shown elsewhere, and no contact is made of it. */
  readonly isDoubtful?: boolean
  readonly onChange: (change: { recipient: string; chosen: Recipient | undefined }) => void
}

/**
 * The recipient: an address, somebody who was paid before, or a user of this service by name. A combobox
 * (ARIA 1.2, editable with list autocomplete) keeps the focus in the field. The full address of the recipient
 * is always shown below it.
 */
export function RecipientField({
  label = t('To'),
  text,
  chosen,
  error,
  isDoubtful = false,
  onChange,
}: RecipientFieldProps) {
  const { account } = useSession()
  const listId = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [, setRevision] = useState(0) // re-renders after contacts change in storage
  const query = useDebounced(text.trim())
  const searching = open && !chosen && query.length >= 2 && !looksLikeAddress(query)
  const found = useQuery({
    queryKey: ['search', query],
    queryFn: ({ signal }) => trpc.user.search.query({ query }, { signal }),
    enabled: searching,
  })
  const suggestions = chosen
    ? []
    : suggestRecipients(text, readRecipients(account), searching ? (found.data?.result ?? []) : [])
  const shown = open && suggestions.length > 0
  const current = shown ? suggestions[active] : undefined

  const typed = readRecipient(text)
  const address = chosen?.address ?? (typed.kind === 'address' ? typed.address : undefined)
  const known = address && readRecipients(account).find((recipient) => recipient.address === address)
  const name = known?.contact ?? chosen?.username ?? known?.username

  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const write = (recipient: string) => {
    setOpen(true)
    setActive(-1)
    onChange({ recipient, chosen: undefined })
  }
  const choose = ({ address, username, contact }: (typeof suggestions)[number]) => {
    close()
    onChange({ recipient: contact ?? username ?? address, chosen: { address, username } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && suggestions.length > 0) {
      event.preventDefault()
      setOpen(true)
      // Without an active option, Down selects the first and Up the last.
      setActive((last) =>
        last < 0 && step < 0 ? suggestions.length - 1 : mod(last + step, suggestions.length),
      )
    } else if (event.key === 'Enter' && current) {
      event.preventDefault()
      choose(current)
    } else if (event.key === 'Escape' && shown) {
      event.preventDefault()
      close()
    }
  }

  return (
    <div className="grid gap-1.5">
      <Field
        label={label}
        error={error}
        hint={
          address
            ? undefined
            : searching && found.isFetching
              ? t('Searching…')
              : t('An address, a contact or a username.')
        }
        aside={<PasteButton onPaste={write} />}
      >
        {(control) => (
          <div className="relative">
            <Input
              {...control}
              role="combobox"
              aria-expanded={shown}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={current && `${listId}-${active}`}
              autoCapitalize="none"
              value={text}
              placeholder={t('0x… or a name')}
              onChange={(event) => write(event.target.value)}
              onFocus={() => setOpen(true)}
              onClick={() => setOpen(true)}
              onBlur={close}
              onKeyDown={onKeyDown}
            />
            <div
              id={listId}
              role="listbox"
              aria-label={t('Recipients')}
              hidden={!shown}
              className="absolute inset-x-0 top-full z-10 mt-1 max-h-80 overflow-y-auto rounded-field border border-line bg-surface shadow-lg"
            >
              {suggestions.map((suggestion, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys, and the focus
                <div
                  key={suggestion.address}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  tabIndex={-1}
                  // Otherwise the field would lose the focus and close the list before the click.
                  onMouseDown={(event) => event.preventDefault()}
                  onMouseMove={() => setActive(index)}
                  onClick={() => choose(suggestion)}
                  className="flex min-h-11 cursor-pointer items-center gap-3 border-line border-b px-3 py-2 last:border-b-0 aria-selected:bg-sunken"
                >
                  <Identicon address={suggestion.address} className="size-8" />
                  <span className="grid min-w-0 flex-1">
                    <span className="flex items-baseline justify-between gap-3">
                      <span className="truncate font-medium">
                        {suggestion.contact ?? suggestion.username ?? t('No name')}
                      </span>
                      <span className="shrink-0 text-muted text-xs">{kinds[suggestion.kind]}</span>
                    </span>
                    <span className="break-all font-mono text-muted text-xs">{suggestion.address}</span>
                  </span>
                </div>
              ))}
            </div>
          </div>
        )}
      </Field>
      <p role="status" className="sr-only">
        {shown &&
          t('{count, plural, one {# suggestion} other {# suggestions}}', { count: suggestions.length })}
      </p>
      {address && !isDoubtful && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-field bg-sunken p-3">
          <Identicon address={address} />
          <div className="grid min-w-0 flex-1 gap-0.5">
            {name && <p className="truncate font-medium">{name}</p>}
            <FullAddress address={address} />
          </div>
          <ContactControls
            key={address}
            address={address}
            contact={known?.contact}
            onChange={() => setRevision((last) => last + 1)}
          />
        </div>
      )}
    </div>
  )
}

const kinds = { contact: t('Contact'), recent: t('Paid before'), user: t('Username') } as const

const mod = (value: number, count: number) => ((value % count) + count) % count

/** Some browsers lack clipboard reading or deny it; pasting by keyboard still works. */
function PasteButton({ onPaste }: { onPaste: (text: string) => void }) {
  const [refused, setRefused] = useState(false)
  if (refused || !navigator.clipboard?.readText) return null
  return (
    <Button
      variant="quiet"
      size="small"
      className="-mr-2.5"
      aria-label={t('Paste the recipient')}
      onClick={() =>
        void navigator.clipboard.readText().then(
          (text) => onPaste(text.trim()),
          () => setRefused(true),
        )
      }
    >
      <ClipboardPaste className="size-4" aria-hidden="true" />
      {t('Paste')}
    </Button>
  )
}

/** One entry of the suggestion list. */
export interface Suggestion extends KnownRecipient {
  readonly kind: 'contact' | 'recent' | 'user'
}

/** The number that fits below a field. */
const maxSuggestions = 8

/**
 * Suggests recipients for the typed text: contacts and earlier recipients whose name or address contains it,
 * then users found by the service. An exact name match comes first. Each recipient appears once.
 */
export function suggestRecipients(
  text: string,
  known: readonly KnownRecipient[],
  found: readonly { readonly username: string; readonly wallet_address: Address }[],
): readonly Suggestion[] {
  const typed = text.trim().toLowerCase()
  const fits = ({ contact = '', username = '', address }: KnownRecipient) =>
    [contact, username, address].some((name) => name.toLowerCase().includes(typed))
  const remembered = known
    .filter(fits)
    .map((recipient): Suggestion => ({ ...recipient, kind: recipient.contact ? 'contact' : 'recent' }))
  const users = found
    // Somebody may have taken such a name before it was refused. Who types it means another person.
    .filter(({ username }) => !isNameServiceName(username))
    .filter(({ wallet_address }) => remembered.every(({ address }) => address !== wallet_address))
    .map(({ username, wallet_address }): Suggestion => ({ kind: 'user', username, address: wallet_address }))
  const isExact = ({ contact, username }: Suggestion) =>
    contact?.toLowerCase() === typed || username?.toLowerCase() === typed
  const all = [...remembered, ...users]
  return [...all.filter(isExact), ...all.filter((one) => !isExact(one))].slice(0, maxSuggestions)
}
