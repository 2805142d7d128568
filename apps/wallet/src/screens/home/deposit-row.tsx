import type { ReactNode } from 'react'
import type { Currency } from '../../amounts/currency.ts'
import { formatShortAmount } from '../../amounts/format-amount.ts'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import type { Deposit } from '../../smart-balance/use-deposits.ts'
import { Time } from '../../ui/time.tsx'

interface DepositRowProps {
  readonly deposit: Deposit
  readonly unit: Currency
  readonly networks: readonly Network[]
}

/** The deposit on one network, and the part that cannot be spent now. */
export function DepositRow({ deposit, unit, networks }: DepositRowProps) {
  const { available, reserved, exiting, exitReadyAt, pinned } = deposit
  const money = (amount: bigint) => `${formatShortAmount(amount, unit.decimals, { fixed: 2 })} ${unit.symbol}`
  return (
    <li className="grid gap-1 px-5 py-3.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-6">
        <span className="font-medium">{nameNetworks([deposit.chainId], networks)}</span>
        <span className="figures">{money(available)}</span>
      </p>
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
    </li>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="text-muted text-sm">{children}</p>
}
