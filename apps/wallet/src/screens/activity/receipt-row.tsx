import { Details, Fact, HashLink, shortAddress, Time } from '@lanyard/ui'
import { ArrowDownLeft } from 'lucide-react'
import { isAddressEqual, zeroAddress } from 'viem'
import { formatAmount } from '../../amounts/amounts.ts'
import { t } from '../../i18n/t.ts'
import { BigAmount, Party } from '../../operation/party.tsx'
import { useSession } from '../../sign-in/session-context.tsx'
import { Counterparty, RowIcon } from './counterparty.tsx'
import type { ReceiptEntry } from './timeline.ts'

interface ReceiptRowProps {
  readonly receipt: ReceiptEntry
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

/** A receipt: amount, sender and network. */
export function ReceiptRow({ receipt, names }: ReceiptRowProps) {
  const { amount, currency, from, network, chainId, at } = receipt
  const what = currency
    ? `${formatAmount(amount, currency.decimals)} ${currency.symbol}`
    : t('an unknown token')
  const text = !from
    ? t('Received {what}', { what })
    : isAddressEqual(from, zeroAddress)
      ? network?.local
        ? t('Received {what}, test money', { what })
        : t('Received {what}, newly issued', { what })
      : network?.smartBalance && isAddressEqual(from, network.smartBalance.address)
        ? t('Received {what} from the combined balance', { what })
        : t('Received {what} from {sender}', { what, sender: shortAddress(from) })
  return (
    <li className="flex gap-3 p-4 sm:px-5">
      <RowIcon Icon={ArrowDownLeft} tone="good" />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p className="font-medium [overflow-wrap:anywhere]">{text}</p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm">
          {from && !isAddressEqual(from, zeroAddress) && <Counterparty address={from} names={names} />}
          <span>{network?.name ?? t('Network {chainId}', { chainId })}</span>
          {at && <Time at={at} />}
          {!from && <span>{t('before your account was deployed there')}</span>}
        </p>
        <Details summary={t('Details')}>
          <ReceiptDetails receipt={receipt} names={names} />
        </Details>
      </div>
    </li>
  )
}

/** Everything about a receipt: sender, recipient, network, time and transaction. */
function ReceiptDetails({ receipt, names }: ReceiptRowProps) {
  const { account } = useSession()
  const { amount, currency, from, network, chainId, at, txnHash } = receipt
  return (
    <div className="grid gap-4 py-2">
      {currency && <BigAmount verb={t('Received')} amount={amount} currency={currency} />}
      {from && !isAddressEqual(from, zeroAddress) && <Party term={t('from')} address={from} names={names} />}
      <Party term={t('to your account')} address={account} />
      <dl className="grid gap-1.5 border-line border-t pt-3 text-sm">
        <Fact term={t('Network')}>{network?.name ?? t('Network {chainId}', { chainId })}</Fact>
        {at && (
          <Fact term={from ? t('Included in a block') : t('Seen in this browser')}>
            <Time at={at} seconds />
          </Fact>
        )}
        {currency?.token && (
          <Fact term={t('Token contract')}>
            <code className="break-all font-mono text-xs">{currency.token}</code>
          </Fact>
        )}
        {txnHash && (
          <Fact term={t('Transaction')}>
            <HashLink hash={txnHash} explorerUrl={network?.explorerUrl} />
          </Fact>
        )}
      </dl>
    </div>
  )
}
