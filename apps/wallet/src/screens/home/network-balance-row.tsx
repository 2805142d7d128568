import { Button, NetworkMark, Skeleton, Tag } from '@lanyard/ui'
import { Link } from 'react-router'
import { isShown } from '../../amounts/currency.ts'
import { formatShortAmount } from '../../amounts/format-amount.ts'
import { balanceOf, type NetworkBalance } from '../../holdings/use-balances.ts'
import { t } from '../../i18n/t.ts'
import { hasSmartBalance } from '../../networks/smart-balance-network.ts'
import type { Network } from '../../networks/use-networks.ts'
import type { Deposit } from '../../smart-balance/use-deposits.ts'
import { DepositNotes } from './deposit-notes.tsx'
import { FaucetButton } from './faucet-button.tsx'

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
