import { useState } from 'react'
import { Link } from 'react-router'
import { parseFunctionSignature } from '../../calls/encode-call.ts'
import { t } from '../../i18n/t.ts'
import { hasSmartBalance } from '../../networks/smart-balance-network.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { usePrepareOperation } from '../../operation/use-prepare-operation.ts'
import { rememberRecipient } from '../../recipients/known-recipients.ts'
import { typedRecipient } from '../../recipients/recipient.ts'
import { useRecipientNames } from '../../recipients/use-recipient-names.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useStoredDraft } from '../../ui/use-stored-draft.ts'
import { emptyDraft } from './draft.ts'
import { SendForm } from './send-form.tsx'
import { SendSource } from './send-source.tsx'

/** Form, review, signature, result. */
export function SendScreen() {
  const networks = useNetworks()
  const operation = usePrepareOperation()
  const { account } = useSession()
  const { draft, change, forget } = useStoredDraft(`send.${account}`, emptyDraft)
  const [isSent, setSent] = useState(false)
  const names = useRecipientNames(draft.chosen)
  const recipient = typedRecipient(draft)
  const signature = parseFunctionSignature(draft.signature)
  const restart = () => {
    change({ ...emptyDraft, chainId: draft.chainId })
    setSent(false)
    operation.reset()
  }

  return (
    <Screen title={t('Send')} narrow>
      {networks.data?.some(hasSmartBalance) && !operation.data && <SendSource />}
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
          }}
          onBack={isSent ? restart : operation.reset}
          next={
            <>
              <Button asChild>
                <Link to="/activity">{t('See activity')}</Link>
              </Button>
              <Button variant="secondary" onClick={restart}>
                {t('Send again')}
              </Button>
            </>
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
