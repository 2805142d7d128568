import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Address } from 'viem'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { t } from '../../i18n/t.ts'
import { hasSmartBalance, type SmartBalanceNetwork } from '../../networks/smart-balance-network.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { rememberRecipient } from '../../recipients/known-recipients.ts'
import { typedRecipient } from '../../recipients/recipient.ts'
import { useRecipientNames } from '../../recipients/use-recipient-names.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { preparePayment } from '../../smart-balance/prepare-payment.ts'
import type { PaymentRequest } from '../../smart-balance/quote.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { useStoredDraft } from '../../ui/use-stored-draft.ts'
import { SendSource } from '../send/send-source.tsx'
import { NoSmartBalance } from './no-smart-balance.tsx'
import { emptySpendDraft } from './spend-draft.ts'
import { SpendForm } from './spend-form.tsx'

interface Payment {
  readonly network: SmartBalanceNetwork
  readonly request: PaymentRequest
  readonly recipient: Address
}

/**
 * Spends the combined balance on one network: form, review, one signature, and then the order's own screen.
 * Once signed, the URL contains the order, so that a reload shows it again. `?to=me` withdraws to the own
 * account.
 */
export function SpendScreen() {
  const session = useSession()
  const navigate = useNavigate()
  const { state } = useLocation()
  const networks = useNetworks()
  const [search, setSearch] = useSearchParams()
  const { draft, change, forget } = useStoredDraft(
    `spend.${session.account}`,
    emptySpendDraft,
    search.get('to') === 'me' ? { recipient: session.account, chosen: undefined } : {},
  )
  const payment = useCancellableMutation({
    mutationFn: (signal, { network, request, recipient }: Payment) =>
      preparePayment(session, network, request, recipient, signal),
  })
  const names = useRecipientNames(draft.chosen)
  const order = search.get('order')
  if (order && !payment.data) return <Navigate to={`/orders/${order}`} replace />

  const offered = networks.data?.filter(hasSmartBalance)
  const recipient = typedRecipient(draft)
  const orderId = payment.data?.payment?.orderId
  return (
    <Screen title={t('Send')} narrow>
      {!payment.data && <SendSource />}
      {!payment.data && typeof state?.insteadOf === 'string' && (
        <Notice>
          {t('Your account on {network} does not have enough for this, so your combined balance pays.', {
            network: state.insteadOf,
          })}
        </Notice>
      )}
      {networks.error ? (
        <ErrorNotice error={networks.error} onRetry={() => void networks.refetch()} />
      ) : !offered ? (
        <ListSkeleton label={t('Loading the networks')} />
      ) : offered.length === 0 ? (
        <NoSmartBalance />
      ) : payment.data && orderId ? (
        <OperationReview
          prepared={payment.data}
          names={names}
          onBack={() => {
            setSearch({}, { replace: true })
            payment.reset()
          }}
          onSent={() => {
            if (recipient) rememberRecipient(session.account, { ...recipient, paidAt: Date.now() })
            forget()
            setSearch({ order: orderId }, { replace: true })
          }}
          onIncluded={() => void navigate(`/orders/${orderId}`, { replace: true })}
          next={
            <Button asChild>
              <Link to={`/orders/${orderId}`}>{t('Follow the payment')}</Link>
            </Button>
          }
        />
      ) : (
        <SpendForm
          networks={offered}
          draft={draft}
          onChange={(changed) => {
            change(changed)
            if (payment.error) payment.reset()
          }}
          onReview={payment.mutate}
          onCancel={payment.cancel}
          busy={payment.isPending}
          error={payment.error}
        />
      )}
    </Screen>
  )
}
