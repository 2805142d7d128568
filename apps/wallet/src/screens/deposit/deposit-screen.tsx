import { Button, ListSkeleton, Screen, useStoredDraft } from '@lanyard/ui'
import { Link, useSearchParams } from 'react-router'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { hasSmartBalance, type SmartBalanceNetwork, useNetworks } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { prepareOperation } from '../../operation/prepare-operation.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { NoSmartBalance } from '../../smart-balance/no-smart-balance.tsx'
import { planDeposit } from '../../smart-balance/verify-deposit.ts'
import { DepositForm } from './deposit-form.tsx'

/** Moves money from the account on one network into the combined balance. */
export function DepositScreen() {
  const session = useSession()
  const networks = useNetworks()
  const [search, setSearch] = useSearchParams()
  const deposit = useCancellableMutation({
    mutationFn: async (signal, { network, amount }: { network: SmartBalanceNetwork; amount: bigint }) => {
      const calls = await planDeposit(session.account, network, amount, signal)
      return prepareOperation(session, network, calls, signal)
    },
  })
  const { draft, change, forget } = useStoredDraft(`deposit.${session.account}`, { amount: '' })
  const restart = () => {
    change({ amount: '' })
    deposit.reset()
  }
  const offered = networks.data?.filter(hasSmartBalance)
  const chosen = offered?.find(({ chainId }) => String(chainId) === search.get('network')) ?? offered?.[0]
  return (
    <Screen
      title={t('Deposit')}
      narrow
      intro={t('Your deposits add up. You can spend the total on every network.')}
    >
      {networks.error ? (
        <ErrorNotice error={networks.error} onRetry={() => void networks.refetch()} />
      ) : !offered ? (
        <ListSkeleton label={t('Loading the networks')} />
      ) : !chosen ? (
        <NoSmartBalance />
      ) : deposit.data ? (
        <OperationReview
          prepared={deposit.data}
          onBack={deposit.reset}
          onSent={forget}
          next={
            <>
              <p className="basis-full text-muted text-sm">
                {t(
                  'It counts as soon as it is final on the network. That takes seconds on some networks and up to 15 minutes on others.',
                )}
              </p>
              <Button asChild>
                <Link to="/">{t('See your balance')}</Link>
              </Button>
              <Button variant="secondary" onClick={restart}>
                {t('Deposit more')}
              </Button>
            </>
          }
        />
      ) : (
        <DepositForm
          networks={offered}
          network={chosen}
          onNetwork={(chainId) => {
            setSearch({ network: String(chainId) }, { replace: true })
            deposit.reset()
          }}
          amount={draft.amount}
          onAmount={(amount) => change({ amount })}
          onReview={(amount) => deposit.mutate({ network: chosen, amount })}
          onCancel={deposit.cancel}
          busy={deposit.isPending}
          error={deposit.error}
        />
      )}
    </Screen>
  )
}
