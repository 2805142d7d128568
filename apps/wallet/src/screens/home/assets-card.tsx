import type { Currency } from '@lanyard/calls'
import { Button, Card, NetworkMark, Skeleton, Tag, Time, TokenMark } from '@lanyard/ui'
import { ChevronDown } from 'lucide-react'
import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useId,
  useState,
} from 'react'
import { Link } from 'react-router'
import { formatShortAmount } from '../../amounts/amounts.ts'
import { isShown } from '../../amounts/currency.ts'
import { balanceOf, type NetworkBalance, useBalances } from '../../holdings/use-balances.ts'
import { rich, t } from '../../i18n/t.ts'
import { hasSmartBalance, type Network, useNetworks } from '../../networks/use-networks.ts'
import { type Deposit, useDeposits } from '../../smart-balance/use-deposits.ts'
import { DepositSummary } from './deposit-summary.tsx'
import { FaucetButton } from './faucet-button.tsx'
import { type Total, totalsOf } from './total.ts'

/** Prices follow the amounts, and are missing if they do not arrive. */
const TokenWorth = lazy<ComponentType<ComponentProps<typeof import('./dollars.tsx').TokenWorth>>>(() =>
  import('./dollars.tsx').then(
    (dollars) => ({ default: dollars.TokenWorth }),
    () => ({ default: () => null }),
  ),
)
const PriceSource = lazy<ComponentType>(() =>
  import('./dollars.tsx').then(
    (dollars) => ({ default: dollars.PriceSource }),
    () => ({ default: () => null }),
  ),
)

/** What the account holds, by token, with the networks inside. */
export function AssetsCard() {
  const networks = useNetworks()
  const balances = useBalances()
  const deposits = useDeposits()
  // The card of the total shows the error and a button to retry.
  if (networks.error || (balances.error && !balances.data)) return null
  const totals = networks.data && balances.data && totalsOf(networks.data, balances.data, deposits.data)
  const local = networks.data?.filter((network) => network.local) ?? []
  return (
    <Card aria-labelledby="assets" aria-busy={!totals} className="overflow-hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 px-4 pt-5 pb-2 sm:px-6">
        <h2 id="assets" className="font-semibold">
          {t('Assets')}
        </h2>
        {totals && (
          <Suspense>
            <PriceSource />
          </Suspense>
        )}
      </div>
      {totals ? (
        totals.map((total, index) => (
          <Asset
            key={`${total.currency.symbol} ${total.currency.token ? 'token' : 'native'}`}
            total={total}
            networks={networks.data ?? []}
            balances={balances.data ?? []}
            deposits={deposits.data?.deposits ?? []}
            isFirst={index === 0}
          />
        ))
      ) : (
        <LoadingRows />
      )}
      {local.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t px-4 py-4 sm:px-6">
          <p className="text-muted text-sm">{t('Test money')}</p>
          {local.map((network) => (
            <FaucetButton key={network.chainId} network={network} text={network.name} />
          ))}
        </div>
      )}
    </Card>
  )
}

interface AssetProps {
  readonly total: Total
  readonly networks: readonly Network[]
  readonly balances: readonly NetworkBalance[]
  readonly deposits: readonly Deposit[]
  readonly isFirst: boolean
}

/** One token: the amount on all networks, and each network in a fold. */
function Asset({ total, networks, balances, deposits, isFirst }: AssetProps) {
  const { currency, amount, shares } = total
  const id = useId()
  const [isOpen, setOpen] = useState(isFirst)
  const places = networks.flatMap((network) => {
    const own = network.currencies.find(
      (one) => isShown(one) && one.symbol === currency.symbol && !one.token === !currency.token,
    )
    return own ? [{ network, own }] : []
  })
  const deposited = places.some(
    ({ network, own }) => hasSmartBalance(network) && network.smartBalance.token.token === own.token,
  )
  return (
    <div className={isFirst ? '' : 'border-line border-t'}>
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-16 w-full flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-left hover:bg-sunken/60 sm:px-6"
        >
          <TokenMark symbol={currency.symbol} />
          <span className="grid min-w-[6.5em] flex-1">
            <span className="font-medium">{currency.symbol}</span>
            <span className="text-muted text-sm">
              {shares.length > 0
                ? t('on {count, plural, one {# network} other {# networks}}', { count: shares.length })
                : t('none yet')}
            </span>
          </span>
          <span className="ml-auto flex items-center gap-3">
            <span className="grid text-right">
              <span className="figures font-medium">{shown(amount, currency)}</span>{' '}
              <Suspense>
                <TokenWorth totals={[total]} />
              </Suspense>
            </span>
            <ChevronDown
              className={`size-4 shrink-0 text-muted ${isOpen ? 'rotate-180' : ''}`}
              aria-hidden="true"
            />
          </span>
        </button>
      </h3>
      <div id={id} hidden={!isOpen} className="border-line border-t bg-sunken/60 px-4 py-2 sm:px-6">
        <ul className="grid" aria-label={t('{symbol} by network', { symbol: currency.symbol })}>
          {places.map(({ network, own }) => (
            <NetworkRow
              key={network.chainId}
              network={network}
              currency={own}
              balance={balances.find(({ chainId }) => chainId === network.chainId)}
              deposit={deposits.find(({ chainId }) => chainId === network.chainId)}
            />
          ))}
        </ul>
        {deposited && <DepositSummary networks={networks} deposits={deposits} />}
      </div>
    </div>
  )
}

const shown = (amount: bigint, { decimals, token }: Currency) =>
  formatShortAmount(amount, decimals, token ? { places: 2, fixed: 2 } : {})

interface NetworkRowProps {
  readonly network: Network
  readonly currency: Currency
  /** Undefined while it is loading. */
  readonly balance: NetworkBalance | undefined
  readonly deposit: Deposit | undefined
}

/** What of a token is on one network. */
function NetworkRow({ network, currency, balance, deposit: all }: NetworkRowProps) {
  const amount = balanceOf(balance, currency)
  const isUnit = hasSmartBalance(network) && network.smartBalance.token.token === currency.token
  const deposit = isUnit ? all : undefined
  const scale = isUnit ? 10n ** BigInt(currency.decimals - network.smartBalance.unit.decimals) : 1n
  return (
    <li className="grid gap-1 py-1">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 sm:pl-1">
        <NetworkMark chainId={network.chainId} name={network.name} className="size-5" />
        <h4 className="text-sm">{network.name}</h4>
        {deposit && deposit.balance > 0n && (
          <span className="figures text-muted text-sm">
            {rich('{amount} deposited', { amount: shown(deposit.balance * scale, currency) })}
          </span>
        )}
        {balance && !balance.available && <Tag tone="waiting">{t('Not responding')}</Tag>}
        <span className="ml-auto flex items-center gap-3">
          {isUnit && (amount ?? 0n) > 0n && (
            <Button asChild variant="secondary" size="small">
              <Link
                to={`/deposit?network=${network.chainId}`}
                aria-label={t('Deposit from {network}', { network: network.name })}
              >
                {t('Deposit')}
              </Link>
            </Button>
          )}
          <span className="figures text-sm">
            {amount !== undefined ? (
              shown(amount + (deposit?.balance ?? 0n) * scale, currency)
            ) : (
              <span className="text-muted">{t('Unknown')}</span>
            )}
          </span>
        </span>
      </div>
      {deposit && <DepositNotes deposit={deposit} unit={currency} scale={scale} />}
    </li>
  )
}

interface DepositNotesProps {
  readonly deposit: Deposit
  readonly unit: Currency
  /** Units of the token in one of the combined balance. */
  readonly scale: bigint
}

/** What of the deposit on one network cannot be spent now, or not everywhere. */
function DepositNotes({ deposit, unit, scale }: DepositNotesProps) {
  const { balance, reserved, exiting, exitReadyAt, pinned } = deposit
  const money = (amount: bigint) => `${shown(amount * scale, unit)} ${unit.symbol}`
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
  return <p className="pb-1 text-muted text-sm sm:pl-9">{children}</p>
}

function LoadingRows() {
  return [1, 2].map((row) => (
    <div key={row} className="flex items-center gap-3 px-4 py-3.5 sm:px-6">
      <Skeleton className="size-9 rounded-full" />
      <Skeleton className="h-5 w-24" />
      <Skeleton className="ml-auto h-5 w-16" />
    </div>
  ))
}
