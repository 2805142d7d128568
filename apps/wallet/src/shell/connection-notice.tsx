import { regionalLocale } from '@lanyard/ui'
import { type QueryCache, useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useCallback, useSyncExternalStore } from 'react'
import { isUnreachable, readServiceError } from '../errors/service-error.ts'
import { t } from '../i18n/t.ts'

/** Errors that concern the service, not the request. */
const failures = ['INTERNAL', 'DATABASE_UNAVAILABLE']

const isServiceFailure = (error: unknown) =>
  isUnreachable(error) || failures.includes(readServiceError(error)?.code ?? '')

const clock = new Intl.DateTimeFormat(regionalLocale, { timeStyle: 'short' })

/**
 * Warns that the data below is outdated while the service cannot be reached: an old balance that looks
 * current is worse than none.
 */
export function ConnectionNotice() {
  const cache = useQueryClient().getQueryCache()
  const since = useSyncExternalStore(
    useCallback((changed) => cache.subscribe(changed), [cache]),
    () => oldestFailing(cache),
  )
  if (since === undefined) return <div role="status" className="sr-only" />
  return (
    <div role="status" className="border-line border-b bg-cord-soft text-cord-ink">
      <p className="mx-auto flex max-w-5xl items-center gap-2.5 px-4 py-2 text-sm sm:px-6">
        <CloudOff className="size-4 shrink-0" aria-hidden="true" />
        <span>
          <strong className="font-medium">
            {navigator.onLine ? t('The service is not responding.') : t('No connection.')}
          </strong>{' '}
          {t('You see the state of {time}. We keep trying.', { time: clock.format(since) })}
        </span>
      </p>
    </div>
  )
}

/**
 * The time of the oldest answer on the screen that cannot be refreshed now, in milliseconds since 1970.
 * Undefined if there is none. Data that never loaded shows its own error in place.
 */
function oldestFailing(cache: QueryCache): number | undefined {
  const failing = cache
    .findAll({ type: 'active' })
    .filter(
      ({ state }) => state.dataUpdatedAt > 0 && isServiceFailure(state.fetchFailureReason ?? state.error),
    )
  return failing.length > 0 ? Math.min(...failing.map(({ state }) => state.dataUpdatedAt)) : undefined
}
