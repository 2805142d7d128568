import { Time } from '@lanyard/ui'
import type { ReactNode } from 'react'
import type { Currency } from '../../amounts/currency.ts'
import { formatShortAmount } from '../../amounts/format-amount.ts'
import { rich, t } from '../../i18n/t.ts'
import type { Deposit } from '../../smart-balance/use-deposits.ts'

/** What of the deposit on one network cannot be spent now, or not everywhere. */
export function DepositNotes({ deposit, unit }: { readonly deposit: Deposit; readonly unit: Currency }) {
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
