import { Button, NetworkMark, Skeleton, Tag, Time } from '@lanyard/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Droplet } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatShortAmount } from '../../amounts/amounts.ts'
import { type Currency, isShown } from '../../amounts/currency.ts'
import { trpc } from '../../api/trpc.ts'
import { describeError } from '../../errors/describe-error.ts'
import { balanceOf, type NetworkBalance } from '../../holdings/use-balances.ts'
import { rich, t } from '../../i18n/t.ts'
import { hasSmartBalance, type Network } from '../../networks/use-networks.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import type { Deposit } from '../../smart-balance/use-deposits.ts'

interface NetworkBalanceRowProps {
  readonly network: Network
  /** Undefined while it is loading. */
  readonly balance: NetworkBalance | undefined
  readonly deposit: Deposit | undefined
}

/** One network's balances and state. */
export function NetworkBalanceRow({ network, balance, deposit }: NetworkBalanceRowProps) {
  return (
    <li className="grid gap-2 p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <NetworkMark chainId={network.chainId} name={network.name} />
        <h3 className="font-medium">{network.name}</h3>
        {balance && !balance.available && <Tag tone="waiting">{t('Not responding')}</Tag>}
        {balance?.available && !balance.deployed && <Tag>{t('Not deployed yet')}</Tag>}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <dl className="flex flex-wrap gap-x-6 gap-y-1">
          {network.currencies.filter(isShown).map((currency) => {
            const amount = balanceOf(balance, currency)
            return (
              <div key={currency.token ?? 'native'} className="flex flex-wrap items-baseline gap-x-1.5">
                <dt className="order-2 text-muted text-sm">{currency.symbol}</dt>
                <dd className="figures">
                  {amount !== undefined ? (
                    formatShortAmount(amount, currency.decimals, { fixed: currency.token ? 2 : 0 })
                  ) : balance ? (
                    <span className="text-muted">{t('Unknown')}</span>
                  ) : (
                    <Skeleton className="h-5 w-16" />
                  )}
                </dd>
              </div>
            )
          })}
          {hasSmartBalance(network) && deposit && deposit.balance > 0n && (
            <div className="flex flex-wrap items-baseline gap-x-1.5">
              <dt className="order-2 text-muted text-sm">
                {t('{symbol} deposited', { symbol: network.smartBalance.unit.symbol })}
              </dt>
              <dd className="figures">
                {formatShortAmount(deposit.balance, network.smartBalance.unit.decimals, { fixed: 2 })}
              </dd>
            </div>
          )}
        </dl>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {hasSmartBalance(network) && (balanceOf(balance, network.smartBalance.token) ?? 0n) > 0n && (
            <Button asChild variant="secondary" size="small">
              <Link
                to={`/deposit?network=${network.chainId}`}
                aria-label={t('Deposit from {network}', { network: network.name })}
              >
                {t('Deposit')}
              </Link>
            </Button>
          )}
          {/* It stays while the network does not respond: a request that has begun must not disappear. */}
          {network.local && <FaucetButton network={network} />}
        </div>
      </div>
      {hasSmartBalance(network) && deposit && (
        <DepositNotes deposit={deposit} unit={network.smartBalance.unit} />
      )}
    </li>
  )
}

/** What of the deposit on one network cannot be spent now, or not everywhere. */
function DepositNotes({ deposit, unit }: { readonly deposit: Deposit; readonly unit: Currency }) {
  const { balance, reserved, exiting, exitReadyAt, pinned } = deposit
  const money = (amount: bigint) => `${formatShortAmount(amount, unit.decimals, { fixed: 2 })} ${unit.symbol}`
  if (balance === 0n) return null
  return (
    <>
      {reserved > 0n && (
        <Note>{rich('{amount} is reserved for pending payments.', { amount: money(reserved) })}</Note>
      )}
      {exiting > 0n && exitReadyAt && (
        <Note>
          {rich('{amount} is being withdrawn and ready on {time}.', {
            amount: money(exiting),
            time: <Time at={exitReadyAt} />,
          })}
        </Note>
      )}
      {!pinned && (
        <Note>
          {t(
            'You can spend this only on this network for now. Your next deposit here lets your passkey spend it everywhere.',
          )}
        </Note>
      )}
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="text-muted text-sm">{children}</p>
}

/** Requests test money on local networks. The request goes on when the person leaves the screen. */
export function FaucetButton({ network }: { network: Network }) {
  const { account } = useSession()
  const queryClient = useQueryClient()
  const faucet = useMutation({
    mutationFn: () => trpc.wallet.faucet.mutate({ walletAddress: account, network: network.chainId }),
    onSuccess: () =>
      Promise.all(
        ['balances', 'transfers'].map((key) => queryClient.invalidateQueries({ queryKey: [key, account] })),
      ),
  })
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        variant="secondary"
        size="small"
        busy={faucet.isPending}
        aria-label={t('Get test money on {network}', { network: network.name })}
        onClick={() => faucet.mutate()}
      >
        {!faucet.isPending && <Droplet className="size-3.5" aria-hidden="true" />}
        {t('Get test money')}
      </Button>
      <span role="status" className={`text-sm ${faucet.error ? 'text-danger' : 'sr-only'}`}>
        {faucet.error && `${describeError(faucet.error).title} ${describeError(faucet.error).advice}`}
        {faucet.isSuccess && t('Test money arrived on {network}.', { network: network.name })}
      </span>
    </div>
  )
}
