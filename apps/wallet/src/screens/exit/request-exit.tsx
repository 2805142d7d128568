import type { Call } from '@lanyard/accounts'
import { encodeRequestExit } from '@lanyard/smart-balance'
import { focusFirstInvalid, formatAmount, SubmitButton } from '@lanyard/ui'
import { type FormEvent, useState } from 'react'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { parseAmount, toInput } from '../../amounts/amounts.ts'
import { t } from '../../i18n/t.ts'
import type { SmartBalanceNetwork } from '../../networks/use-networks.ts'
import type { Deposit } from '../../smart-balance/use-deposits.ts'

interface RequestExitProps {
  /** The typed amount. Undefined: all of it. */
  readonly amount: string | undefined
  readonly onAmount: (amount: string) => void
  readonly network: SmartBalanceNetwork
  readonly deposit: Deposit
  readonly onReview: (call: Call) => void
  readonly onCancel: () => void
  readonly busy: boolean
}

/** The amount to withdraw. Default: the whole deposit. */
export function RequestExit({
  network,
  deposit: { balance, reserved },
  amount,
  onAmount,
  onReview,
  onCancel,
  busy,
}: RequestExitProps) {
  const { address, unit } = network.smartBalance
  const [wrong, setWrong] = useState<string>()
  // Open payments can still take the amounts that they reserve.
  const all = toInput(balance > reserved ? balance - reserved : 0n, unit.decimals)
  const change = (next: string) => {
    setWrong(undefined)
    onAmount(next)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const parsed = parseAmount(amount ?? all, unit.decimals)
    if (parsed.ok && parsed.value > 0n && parsed.value <= balance)
      return onReview(encodeRequestExit(address, parsed.value))
    setWrong(
      !parsed.ok
        ? parsed.message
        : parsed.value === 0n
          ? t('Enter more than zero.')
          : t('At most {amount} {symbol}.', {
              amount: formatAmount(balance, unit.decimals),
              symbol: unit.symbol,
            }),
    )
    focusFirstInvalid(event.currentTarget)
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-3">
      <AmountInput
        label={t('How much on {network}', { network: network.name })}
        symbol={unit.symbol}
        value={amount ?? all}
        hint={undefined}
        error={wrong}
        onChange={change}
        max={{
          label: t('Max: withdraw all on {network}', { network: network.name }),
          disabled: false,
          onPress: () => change(all),
        }}
      />
      <SubmitButton
        variant="secondary"
        size="medium"
        busy={busy}
        onCancel={onCancel}
        aria-label={t('Start withdrawal on {network}', { network: network.name })}
      >
        {t('Start withdrawal')}
      </SubmitButton>
    </form>
  )
}
