import { Button, Card, Screen, Skeleton, useStoredDraft } from '@lanyard/ui'
import { useEffect, useState } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import type { Session } from '../../api/stored-session.ts'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { parseFunctionSignature } from '../../calls/encode-call.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { readServiceError } from '../../errors/service-error.ts'
import { t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { type PreparedOperation, prepareOperation } from '../../operation/prepare-operation.ts'
import { rememberRecipient, useRecipientNames } from '../../recipients/known-recipients.ts'
import { typedRecipient } from '../../recipients/recipient.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { preparePayment } from '../../smart-balance/prepare-payment.ts'
import { draftOfRequest, emptyDraft } from './draft.ts'
import { type AccountPayment, type CombinedPayment, SendForm } from './send-form.tsx'

const prepareCombined = (session: Session, payment: CombinedPayment, signal: AbortSignal) =>
  preparePayment(session, payment.network, payment.request, payment.recipient, signal)

/** Only the service knows the fee, so the account may turn out not to have enough for it. */
async function prepare(
  session: Session,
  payment: AccountPayment | CombinedPayment,
  signal: AbortSignal,
): Promise<PreparedOperation> {
  if ('request' in payment) return prepareCombined(session, payment, signal)
  const { network, calls, instead } = payment
  try {
    return await prepareOperation(session, network, calls, signal)
  } catch (error) {
    if (!instead || readServiceError(error)?.code !== 'INSUFFICIENT_FUNDS') throw error
    return prepareCombined(session, instead, signal).catch(() => {
      throw error
    })
  }
}

/**
 * Form, review, signature, result. A payment from the combined balance continues on the order's own screen: once it is
 * signed, the URL contains the order, so that a reload shows it again. `?to=me` takes money out of the combined balance, `?to=0x…` names who is paid, and
 * `?request=ethereum:…` is a payment request.
 */
export function SendScreen() {
  const session = useSession()
  const { account } = session
  const networks = useNetworks()
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const to = search.get('to')
  const request = search.get('request')
  const operation = useCancellableMutation({
    mutationFn: (signal, payment: AccountPayment | CombinedPayment) => prepare(session, payment, signal),
  })
  const { draft, change, forget } = useStoredDraft(
    `send.${account}`,
    emptyDraft,
    // The token of the combined balance is the second currency of each network that has one.
    to === 'me'
      ? { recipient: account, chosen: undefined, asset: 1 }
      : to
        ? { recipient: to, chosen: undefined }
        : request
          ? { ...emptyDraft, recipient: request }
          : {},
  )
  // Only the networks say what the link asks for.
  const asked = request && networks.data ? draftOfRequest(request, networks.data) : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link, so that what it filled in can be changed
  useEffect(() => {
    if (asked) change(asked)
  }, [request, asked !== undefined])
  const [isSent, setSent] = useState(false)
  const names = useRecipientNames(draft.chosen)
  const order = search.get('order')
  if (order && !operation.data) return <Navigate to={`/orders/${order}`} replace />

  const recipient = typedRecipient(draft)
  const signature = parseFunctionSignature(draft.signature)
  const orderId = operation.data?.payment?.orderId
  const back = () => {
    setSearch({}, { replace: true })
    operation.reset()
  }
  const restart = () => {
    change({ ...emptyDraft, chainId: draft.chainId })
    setSent(false)
    back()
  }

  return (
    <Screen title={t('Send')} narrow>
      {networks.error ? (
        <ErrorNotice error={networks.error} onRetry={() => void networks.refetch()} />
      ) : !networks.data ? (
        <Card className="grid gap-6 p-6">
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-11 w-full" />
        </Card>
      ) : operation.data ? (
        <OperationReview
          prepared={operation.data}
          names={names}
          abi={draft.asset === 'call' && signature.ok ? signature.abi : undefined}
          onSent={() => {
            setSent(true)
            forget()
            if (recipient && draft.asset !== 'call')
              rememberRecipient(account, { ...recipient, paidAt: Date.now() })
            // A link that was paid must not fill in the same payment again after a reload.
            setSearch(orderId ? { order: orderId } : {}, { replace: true })
          }}
          {...(orderId && { onIncluded: () => void navigate(`/orders/${orderId}`, { replace: true }) })}
          onBack={isSent ? restart : back}
          next={
            orderId ? (
              <Button asChild>
                <Link to={`/orders/${orderId}`}>{t('Follow the payment')}</Link>
              </Button>
            ) : (
              <>
                <Button asChild>
                  <Link to="/activity">{t('See activity')}</Link>
                </Button>
                <Button variant="secondary" onClick={restart}>
                  {t('Send again')}
                </Button>
              </>
            )
          }
        />
      ) : (
        <SendForm
          networks={networks.data}
          draft={draft}
          onChange={(changed) => {
            change(changed)
            if (operation.error) operation.reset()
          }}
          onReview={operation.mutate}
          onCancel={operation.cancel}
          busy={operation.isPending}
          error={operation.error}
        />
      )}
    </Screen>
  )
}
