import { Avatar, Spinner } from '@lanyard/ui'
import { ArrowDownLeft, KeyRound, type LucideIcon, Plus, ShieldCheck, Timer, Zap } from 'lucide-react'
import { type RowView, stateText, timeOfDay } from './row-view.ts'

const icons: Readonly<Record<Exclude<RowView['mark'], 'party'>, LucideIcon>> = {
  protection: ShieldCheck,
  owners: KeyRound,
  sessions: Timer,
  deposit: Plus,
  other: Zap,
}

/** One act: who or what, when and where, and the amount. */
export function ActivityRow({ view, onOpen }: { readonly view: RowView; readonly onOpen: () => void }) {
  const { title, mark, where, at, state, amount, sentence, note } = view
  const Icon =
    mark === 'party'
      ? undefined
      : mark === 'deposit' && amount?.direction === 'in'
        ? ArrowDownLeft
        : icons[mark]
  return (
    <button
      type="button"
      onClick={onOpen}
      className="-mx-2 flex min-h-14 w-[calc(100%+4*var(--spacing))] flex-wrap items-center gap-x-3 gap-y-0.5 rounded-field px-2 py-1.5 text-left hover:bg-sunken/60"
    >
      {Icon ? (
        <span
          className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-muted"
          aria-hidden="true"
        >
          <Icon className="size-4.5" />
        </span>
      ) : (
        <Avatar name={title.replace(/^0x/, '')} />
      )}
      <span className="sr-only">{sentence}</span>
      <span className="grid min-w-[6.5em] flex-1">
        <span className="line-clamp-2 font-medium" aria-hidden="true">
          {title}
        </span>
        <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-[0.8125rem] text-muted">
          {state === 'pending' ? (
            <span className="flex items-center gap-1.5 text-cord-ink">
              <Spinner />
              {stateText(view)}
            </span>
          ) : state === 'failed' ? (
            <span className="text-danger">{stateText(view)}</span>
          ) : state === 'expired' ? (
            <span>{stateText(view)}</span>
          ) : (
            at && <time dateTime={at}>{timeOfDay(at)}</time>
          )}
          {where && <span>· {where}</span>}
        </span>
        {note && <span className="text-[0.8125rem] text-cord-ink">{note}</span>}
      </span>
      {amount && (
        <span
          className={`figures ml-auto max-w-full text-right ${amount.direction === 'in' ? 'text-accent' : ''} ${state === 'failed' || state === 'expired' ? 'text-muted line-through' : ''}`}
          aria-hidden="true"
        >
          <span className="font-medium">{amount.text}</span>{' '}
          <span className="text-[0.8125rem]">{amount.symbol}</span>
        </span>
      )}
    </button>
  )
}
