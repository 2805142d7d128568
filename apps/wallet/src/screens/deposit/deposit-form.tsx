import { Card, focusFirstInvalid, SubmitButton } from '@lanyard/ui'
import { type FormEvent, useState } from 'react'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { formatShortAmount, parseAmount, toInput } from '../../amounts/amounts.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { balanceOf, useBalances } from '../../holdings/use-balances.ts'
import { t } from '../../i18n/t.ts'
import { NetworkSelect } from '../../networks/network-select.tsx'
import type { SmartBalanceNetwork } from '../../networks/use-networks.ts'
import { toUnits } from '../../smart-balance/use-deposits.ts'

interface DepositFormProps {
  readonly networks: readonly SmartBalanceNetwork[]
  readonly network: SmartBalanceNetwork
  readonly onNetwork: (chainId: number) => void
  readonly amount: string
  readonly onAmount: (amount: string) => void
  /** The amount in units of 6 decimals. */
  readonly onReview: (amount: bigint) => void
  readonly onCancel: () => void
  readonly busy: boolean
  readonly error: Error | null
}

/** Selects the network and the amount of a deposit. */
export function DepositForm({
  networks,
  network,
  onNetwork,
  amount,
  onAmount,
  onReview,
  onCancel,
  busy,
  error,
}: DepositFormProps) {
  const balances = useBalances()
  const [wrong, setWrong] = useState<string>()
  const { unit, token } = network.smartBalance
  const held = balanceOf(
    balances.data?.find(({ chainId }) => chainId === network.chainId),
    token,
  )
  const available = held === undefined ? undefined : toUnits(network.smartBalance, held)
  const change = (next: string) => {
    setWrong(undefined)
    onAmount(next)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const parsed = parseAmount(amount, unit.decimals)
    const problem = !parsed.ok
      ? parsed.message
      : parsed.value === 0n
        ? t('Enter more than zero.')
        : available !== undefined && parsed.value > available
          ? t('You have {amount} {symbol} on {network}.', {
              amount: formatShortAmount(available, unit.decimals),
              symbol: unit.symbol,
              network: network.name,
            })
          : undefined
    setWrong(problem)
    if (parsed.ok && !problem) onReview(parsed.value)
    else focusFirstInvalid(event.currentTarget)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card className="grid gap-5 p-5 sm:p-6">
        <NetworkSelect
          label={t('Network')}
          networks={networks}
          chainId={network.chainId}
          onChange={onNetwork}
        />
        <AmountInput
          symbol={unit.symbol}
          value={amount}
          error={wrong}
          hint={
            available === undefined
              ? t('Your balance is unknown at the moment.')
              : t('{amount} {symbol} in your account on {network}', {
                  amount: formatShortAmount(available, unit.decimals),
                  symbol: unit.symbol,
                  network: network.name,
                })
          }
          onChange={change}
          max={{
            label: t('Max: deposit all {symbol}', { symbol: unit.symbol }),
            disabled: available === undefined,
            onPress: () => change(toInput(available ?? 0n, unit.decimals)),
          }}
        />
        <p className="text-muted text-sm">
          {t(
            'A contract holds it, and only your signature releases it. Spend it right away on any network, or withdraw it after seven days without anyone’s help. The contract is not audited yet: deposit only what you could lose.',
          )}
        </p>
        {error && <ErrorNotice error={error} />}
        <SubmitButton busy={busy} onCancel={onCancel}>
          {t('Review')}
        </SubmitButton>
      </Card>
    </form>
  )
}
