import { type FormEvent, useState } from 'react'
import { formatUnits } from 'viem'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { formatShortAmount } from '../../amounts/format-amount.ts'
import { parseAmount } from '../../amounts/parse-amount.ts'
import { NetworkSelect } from '../../networks/network-select.tsx'
import type { SmartBalanceNetwork } from '../../networks/smart-balance-network.ts'
import { balanceOf, useBalances } from '../../networks/use-balances.ts'
import { toUnits } from '../../smart-balance/units.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts'
import { SubmitButton } from '../../ui/submit-button.tsx'

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
        ? 'Enter more than zero.'
        : available !== undefined && parsed.value > available
          ? `You have ${formatShortAmount(available, unit.decimals)} ${unit.symbol} on ${network.name}.`
          : undefined
    setWrong(problem)
    if (parsed.ok && !problem) onReview(parsed.value)
    else focusFirstInvalid(event.currentTarget)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card className="grid gap-5 p-5 sm:p-6">
        <NetworkSelect label="Network" networks={networks} chainId={network.chainId} onChange={onNetwork} />
        <AmountInput
          symbol={unit.symbol}
          value={amount}
          error={wrong}
          hint={
            available === undefined
              ? 'Your balance is unknown at the moment.'
              : `${formatShortAmount(available, unit.decimals)} ${unit.symbol} in your account on ${network.name}`
          }
          onChange={change}
          max={{
            label: `Max: deposit all ${unit.symbol}`,
            disabled: available === undefined,
            onPress: () => change(formatUnits(available ?? 0n, unit.decimals)),
          }}
        />
        <p className="text-muted text-sm">
          A contract holds it, and only your signature releases it. Spend it right away on any network, or
          withdraw it after seven days without anyone’s help.
        </p>
        {error && <ErrorNotice error={error} />}
        <SubmitButton busy={busy} onCancel={onCancel}>
          Review
        </SubmitButton>
      </Card>
    </form>
  )
}
