import { callContext, describeCall, summarizeCalls } from '@lanyard/calls'
import { Button, Card, Notice, useSecondsUntil } from '@lanyard/ui'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import type { AbiFunction } from 'viem'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { readServiceError } from '../errors/service-error.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { t } from '../i18n/t.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { trackedOperations } from '../sign-in/tracked-operations.ts'
import { OperationFacts } from './operation-facts.tsx'
import { OperationProgress } from './operation-progress.tsx'
import { OperationResult } from './operation-result.tsx'
import { type PreparedOperation, payableUntil } from './prepare-operation.ts'
import { useOperationFlow } from './use-operation-flow.ts'
import { rememberSent, useUnusualAmount } from './usual-amounts.tsx'

interface OperationReviewProps {
  readonly prepared: PreparedOperation
  /** Names that the person chose for addresses. */
  readonly names?: ReadonlyMap<string, string> | undefined
  /** The function of a contract call, if the person named it. */
  readonly abi?: AbiFunction | undefined
  /** Leaves without signing. */
  readonly onBack: () => void
  /** The next steps after the outcome. */
  readonly next: ReactNode
  /** Called once the operation is signed and sent. */
  readonly onSent?: () => void
  /** Called once the operation is included and succeeded. If absent, the result is shown here. */
  readonly onIncluded?: () => void
}

/** After these errors the challenge cannot be used again: the operation must be rebuilt. */
const stale = [
  'REBUILD',
  'FEE_TOO_LOW',
  'UNKNOWN_OPERATION',
  'VERIFICATION_FAILED',
  'INSUFFICIENT_FUNDS',
  'ORDER_EXPIRED',
  'ORDER_MISMATCH',
  'UNKNOWN_ORDER',
]

/** Shows exactly what will be signed, then the signing and the outcome. */
export function OperationReview({
  prepared,
  names,
  abi,
  onBack,
  next,
  onSent,
  onIncluded,
}: OperationReviewProps) {
  const flow = useOperationFlow(prepared)
  const goBack = useReviewHistory(onBack)
  useFocusAfterwards()
  const heading = useRef<HTMLHeadingElement>(null)
  const progress = useRef<HTMLDivElement>(null)
  const primary = useRef<HTMLButtonElement>(null)
  const ended = flow.step === 'done'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heading changes its text with `ended`
  useEffect(() => heading.current?.focus(), [ended])
  const waiting = flow.step !== 'review' && !flow.neverArrived
  const failed = flow.error !== null
  useEffect(() => {
    if (waiting) progress.current?.focus()
    else if (failed) primary.current?.focus()
  }, [waiting, failed])
  const { account } = useSession()
  const unusual = useUnusualAmount(flow.step === 'review' ? prepared : undefined)
  const { userOpHash, calls } = prepared.verified
  useReport(flow.step === 'sending', () => {
    const context = callContext(account, prepared.network, names)
    const described = calls.map((call) => describeCall(call, context))
    const summarize = (tense: 'past' | 'future') =>
      t('{summary} on {name}', {
        summary: summarizeCalls(described, tense, context),
        name: prepared.network.name,
      })
    trackedOperations.add({
      userOpHash,
      summary: summarize('future'),
      summaryWhenDone: summarize('past'),
      isPayment: described.some(({ kind }) => kind === 'transfer'),
      signedAt: Date.now(),
      ...replaceableOf(prepared),
    })
    rememberSent(prepared, account)
    onSent?.()
  })
  const isNowhere = flow.neverArrived || (failed && !waiting)
  useEffect(() => {
    if (isNowhere) trackedOperations.remove(userOpHash)
  }, [isNowhere, userOpHash])
  useEffect(() => {
    trackedOperations.watch(userOpHash)
    return () => trackedOperations.watch(undefined)
  }, [userOpHash])
  useReport(flow.outcome?.kind === 'included', onIncluded)
  const expired =
    useSecondsUntil(prepared.payment ? payableUntil(prepared.payment) : Number.POSITIVE_INFINITY) === 0

  if (flow.outcome)
    return (
      <OperationResult prepared={prepared} names={names} outcome={flow.outcome} headingRef={heading}>
        {next}
      </OperationResult>
    )

  const mustRebuild =
    (expired && flow.step === 'review') ||
    flow.error instanceof WalletError ||
    stale.includes(readServiceError(flow.error)?.code ?? '')
  return (
    <Card aria-labelledby="review" className="grid gap-5 p-5 sm:p-6">
      <h2 id="review" ref={heading} tabIndex={-1} className="font-semibold text-lg">
        {t('Review and sign')}
      </h2>
      <OperationFacts prepared={prepared} names={names} abi={abi} />
      {flow.error && <ErrorNotice error={flow.error} />}
      {unusual.notice}
      {expired && flow.step === 'review' && (
        <Notice tone="warning" title={t('This request expired.')}>
          {t('Nothing was signed. Review it again to see the current price.')}
        </Notice>
      )}
      {flow.neverArrived && (
        <Notice
          tone="error"
          title={t('The service did not receive your signature.')}
          action={
            <Button variant="secondary" size="small" onClick={flow.startOver}>
              {t('Sign again')}
            </Button>
          }
        >
          {t('Nothing was sent. Check your connection, then sign again.')}
        </Notice>
      )}
      {flow.neverArrived ? null : waiting ? (
        <OperationProgress
          ref={progress}
          prepared={prepared}
          step={flow.step}
          sent={flow.sent}
          signedAt={flow.signedAt}
          unconfirmed={flow.unconfirmed}
        />
      ) : (
        <div className="grid gap-2.5 sm:flex sm:flex-row-reverse sm:justify-start">
          {mustRebuild ? (
            <Button size="large" ref={primary} onClick={goBack}>
              {t('Review again')}
            </Button>
          ) : (
            <Button size="large" ref={primary} onClick={() => unusual.check() && flow.sign()}>
              {t('Sign with passkey')}
            </Button>
          )}
          <Button variant="secondary" size="large" onClick={goBack}>
            {t('Back')}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** An operation that another party pays for is not replaced here: that party decides. A fee in a token is one, too. */
function replaceableOf({ network, verified, payment, sponsored }: PreparedOperation) {
  if (payment || sponsored || verified.tokenFee) return {}
  const { nonce, maxFee, calls } = verified
  return {
    replaceable: {
      chainId: network.chainId,
      nonce: nonce.toString(),
      maxFee: maxFee.toString(),
      calls: calls.map(({ to, value, data }) => ({ to, value: value.toString(), data })),
    },
  }
}

/** When the review closes, moves the focus to the form that opened it, or else to the top of the screen. */
function useFocusAfterwards() {
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement && document.activeElement !== document.body) return
        const buttons = document.querySelectorAll<HTMLElement>('main form [type=submit]')
        const target = buttons.length === 1 ? buttons[0] : document.querySelector<HTMLElement>('main h1')
        target?.focus()
      })
    },
    [],
  )
}

/** Calls `report` once, when `happened` becomes true. */
function useReport(happened: boolean, report: (() => void) | undefined) {
  const latest = useRef(report)
  useEffect(() => {
    latest.current = report
  })
  useEffect(() => {
    if (happened) latest.current?.()
  }, [happened])
}

/**
 * Adds the review to the browser's history, so that Back closes it and shows the form again.
 *
 * @param onBack - closes the review
 * @returns a function that goes back like the browser's own button
 */
function useReviewHistory(onBack: () => void): () => void {
  const review = useId()
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation()
  const navigation = useNavigationType()
  const entered = useRef(false)
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  })
  const here: unknown = state?.review
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, where the review opens
  useEffect(() => {
    if (!entered.current) void navigate(`${pathname}${search}${hash}`, { state: { review } })
  }, [])
  useEffect(() => {
    if (here === review) entered.current = true
    else if (entered.current && navigation === 'POP') latest.current()
  }, [here, review, navigation])
  return () => void navigate(-1)
}
