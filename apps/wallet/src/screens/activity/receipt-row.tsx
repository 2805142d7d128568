import { ArrowDownLeft } from 'lucide-react'
import { isAddressEqual, zeroAddress } from 'viem'
import { formatAmount } from '../../amounts/format-amount.ts'
import { t } from '../../i18n/t.ts'
import { HashLink } from '../../ui/hash-link.tsx'
import { shortAddress } from '../../ui/short-address.ts'
import { Time } from '../../ui/time.tsx'
import { Counterparty } from './counterparty.tsx'
import { RowIcon } from './row-icon.tsx'
import type { ReceiptEntry } from './timeline.ts'

interface ReceiptRowProps {
  readonly receipt: ReceiptEntry
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

/** A receipt: amount, sender and network. */
export function ReceiptRow({ receipt, names }: ReceiptRowProps) {
  const { amount, currency, from, network, chainId, at, txnHash } = receipt
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
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5">
        <p className="font-medium [overflow-wrap:anywhere]">{text}</p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm">
          {from && !isAddressEqual(from, zeroAddress) && <Counterparty address={from} names={names} />}
          <span>{network?.name ?? t('Network {chainId}', { chainId })}</span>
          {at && <Time at={at} />}
          {!from && <span>{t('before your account was deployed there')}</span>}
        </p>
        {txnHash && (
          <p>
            <HashLink hash={txnHash} explorerUrl={network?.explorerUrl} />
          </p>
        )}
      </div>
    </li>
  )
}
