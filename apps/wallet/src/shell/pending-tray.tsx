import { Button, Elapsed, Spinner } from '@lanyard/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleX, X } from 'lucide-react'
import { useEffect, useId, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { requestTimeout, trpc } from '../api/trpc.ts'
import { readServiceError } from '../errors/service-error.ts'
import { allAnswers } from '../events/answers-of.ts'
import { useIsLive } from '../events/stream-health.ts'
import { rich, t } from '../i18n/t.ts'
import { outcomeOf } from '../operation/operation-outcome.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { type TrackedOperation, trackedOperations } from '../sign-in/tracked-operations.ts'

/** Operations signed in this tab that are not settled, above every screen: it covers nothing that can be pressed. */
export function PendingTray() {
  const operations = useSyncExternalStore(trackedOperations.subscribe, trackedOperations.getShown)
  return (
    <div
      role="status"
      aria-label={t('Payments under way')}
      className="mx-auto grid max-w-275 grid-cols-[repeat(auto-fit,minmax(min(18rem,100%),1fr))] gap-2 px-4 pt-4 empty:hidden sm:px-6"
    >
      {operations.map((operation) => (
        <TrayRow key={operation.userOpHash} operation={operation} />
      ))}
    </div>
  )
}

/** Milliseconds between polls before inclusion, and before finality. */
const pollInterval = { pending: 1_500, included: 4_000 } as const

/**
 * Number of UNKNOWN_OPERATION answers before the wallet accepts that the service does not have the operation.
 */
const missingLimit = 5

/** Milliseconds for which the outcome stays visible. */
const farewell = 8_000

function TrayRow({
  operation: { userOpHash, summary, summaryWhenDone = summary, isPayment, signedAt, replaceable },
}: {
  operation: TrackedOperation
}) {
  const { account } = useSession()
  const isLive = useIsLive()
  const queryClient = useQueryClient()
  const textId = useId()
  const status = useQuery({
    queryKey: ['operation', userOpHash],
    queryFn: ({ signal }) => trpc.smartAccount.status.query({ userOpHash }, { signal }),
    retry: false,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      // The service sends no events about an operation that it does not have.
      !data || (!isLive && !outcomeOf(data))
        ? pollInterval.pending
        : isLive || hasEnded(data)
          ? false
          : pollInterval.included,
  })
  const outcome = status.data && outcomeOf(status.data)
  // Until its request has ended, the signature may still arrive.
  const isUnknown =
    Date.now() - signedAt > requestTimeout &&
    status.errorUpdateCount >= missingLimit &&
    readServiceError(status.error)?.code === 'UNKNOWN_OPERATION'
  const ended = status.data ? hasEnded(status.data) : false
  const kind = outcome?.kind
  useEffect(() => {
    if (!kind) return
    for (const key of allAnswers) void queryClient.invalidateQueries({ queryKey: [key, account] })
  }, [kind, queryClient, account])
  useEffect(() => {
    if (!ended) return
    const timer = setTimeout(() => trackedOperations.remove(userOpHash), farewell)
    return () => clearTimeout(timer)
  }, [ended, userOpHash])
  const text = !outcome
    ? isUnknown
      ? t('The service has not received your signature')
      : t('Pending')
    : outcome.kind === 'included'
      ? isPayment
        ? t('Paid')
        : t('Done')
      : outcome.kind === 'reverted'
        ? t('Failed on the network')
        : t('Not included')
  return (
    <div className="flex items-start gap-3 rounded-card border border-line bg-surface p-3.5">
      <span className="mt-0.5 grid size-5 shrink-0 place-items-center">
        {!outcome && !isUnknown ? (
          <Spinner />
        ) : outcome?.kind === 'included' ? (
          <CircleCheck className="size-5 text-accent" aria-hidden="true" />
        ) : (
          <CircleX className="size-5 text-danger" aria-hidden="true" />
        )}
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p id={textId} className="grid text-sm">
          <span className="font-medium">{text}</span>
          <span className="wrap-anywhere text-muted">
            {outcome?.kind === 'included' ? summaryWhenDone : summary}
          </span>
          {!outcome && !isUnknown && (
            <span className="text-muted">
              {rich('{elapsed} so far', { elapsed: <Elapsed since={signedAt} /> })}
            </span>
          )}
        </p>
        {replaceable && !outcome && !isUnknown && (
          <ReplaceLinks userOpHash={userOpHash} describedBy={textId} />
        )}
      </div>
      <Button
        variant="quiet"
        size="icon"
        className="-m-2"
        aria-label={t('Hide')}
        aria-describedby={textId}
        onClick={() => trackedOperations.remove(userOpHash)}
      >
        <X className="size-4" aria-hidden="true" />
      </Button>
    </div>
  )
}

const hasEnded = (status: { final?: boolean | undefined } & Parameters<typeof outcomeOf>[0]) => {
  const outcome = outcomeOf(status)
  return outcome !== undefined && (outcome.kind === 'dropped' || status.final === true)
}

/** Another operation with the same nonce can take its place while it is pending. */
function ReplaceLinks({ userOpHash, describedBy }: { userOpHash: string; describedBy: string }) {
  return (
    <p className="-ml-2.5 flex flex-wrap">
      <Button asChild variant="quiet" size="small">
        <Link to={`/replace/${userOpHash}/faster`} aria-describedby={describedBy}>
          {t('Speed up')}
        </Link>
      </Button>
      <Button asChild variant="quiet" size="small">
        <Link to={`/replace/${userOpHash}/cancel`} aria-describedby={describedBy}>
          {t('Cancel payment')}
        </Link>
      </Button>
    </p>
  )
}
