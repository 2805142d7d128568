import { Notice, readStoredList, writeStored } from '@lanyard/ui'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { type Address, isAddressEqual } from 'viem'
import { formatAmount } from '../amounts/amounts.ts'
import type { Currency } from '../amounts/currency.ts'
import { callContext, describeCall } from '../calls/describe-call.ts'
import { balanceOf, useBalances } from '../holdings/use-balances.ts'
import { t } from '../i18n/t.ts'
import { useSession } from '../sign-in/session-context.tsx'
import type { PreparedOperation } from './prepare-operation.ts'

/** Payments of one currency on one network that count as usual. */
const maxKept = 20

/** More than this many times the largest of them is unusual. */
const unusualFactor = 3n

/** Up to this part of the balance, nothing is unusual. */
const smallPart = 10n

/** This browser keeps them: a service that lies cannot change what is usual. */
const keyOf = (account: Address, chainId: number, { token }: Currency) =>
  `lanyard.paid.${account.toLowerCase()}.${chainId}.${token?.toLowerCase() ?? 'native'}`

const readPaid = (key: string): readonly bigint[] =>
  readStoredList(key).flatMap((text) =>
    typeof text === 'string' && /^\d{1,78}$/.test(text) ? [BigInt(text)] : [],
  )

/** What an operation sends to others, by currency. */
function sentIn({ network, verified }: Pick<PreparedOperation, 'network' | 'verified'>, account: Address) {
  const context = callContext(account, network)
  const sums = new Map<string, { readonly currency: Currency; readonly amount: bigint }>()
  for (const call of verified.calls) {
    const description = describeCall(call, context)
    if (description.kind !== 'transfer' || isAddressEqual(description.to, account)) continue
    const { currency, amount } = description
    const key = keyOf(account, network.chainId, currency)
    sums.set(key, { currency, amount: amount + (sums.get(key)?.amount ?? 0n) })
  }
  return sums
}

/** Remembers what was sent, once it is signed. */
export function rememberSent(prepared: PreparedOperation, account: Address): void {
  for (const [key, { amount }] of sentIn(prepared, account))
    writeStored(key, [amount, ...readPaid(key)].slice(0, maxKept).map(String))
}

interface Consent {
  /** What to show above the buttons. */
  readonly notice: ReactNode
  /** Whether signing may go on. If not, the notice says what is missing. */
  readonly check: () => boolean
}

/**
 * Asks once more before an operation that sends more than three times the largest of the last 20 payments of this
 * currency on this network, and more than a tenth of the balance. The first payment has nothing to compare with.
 */
export function useUnusualAmount(prepared: PreparedOperation | undefined): Consent {
  const { account } = useSession()
  const { data: balances } = useBalances()
  const [given, setGiven] = useState<PreparedOperation>()
  const [asked, setAsked] = useState<PreparedOperation>()
  const missing = useId()
  const unusual = useMemo(() => {
    if (!prepared) return undefined
    const { network, payment } = prepared
    const balance = balances?.find(({ chainId }) => chainId === network.chainId)
    for (const [key, { currency, amount }] of sentIn(prepared, account)) {
      const largest = readPaid(key).reduce((a, b) => (a > b ? a : b), 0n)
      const held = payment ? undefined : balanceOf(balance, currency)
      if (
        largest > 0n &&
        amount > largest * unusualFactor &&
        (held === undefined || amount > held / smallPart)
      )
        return { currency, amount, largest }
    }
    return undefined
  }, [prepared, account, balances])
  if (!unusual || !prepared) return { notice: null, check: () => true }
  const { currency, amount, largest } = unusual
  const money = (units: bigint) => `${formatAmount(units, currency.decimals)} ${currency.symbol}`
  const isMissing = asked === prepared && given !== prepared
  return {
    check: () => {
      setAsked(prepared)
      return given === prepared
    },
    notice: (
      <div className="grid gap-2.5">
        <Notice tone="warning" title={t('This is much more than you usually send.')}>
          {t('The most that you sent from this browser lately is {amount}.', { amount: money(largest) })}
        </Notice>
        <label className="flex min-h-11 items-center gap-3 text-sm">
          <input
            type="checkbox"
            className="size-5 shrink-0"
            checked={given === prepared}
            aria-describedby={isMissing ? missing : undefined}
            onChange={({ target }) => setGiven(target.checked ? prepared : undefined)}
          />
          {t('I want to send {amount}.', { amount: money(amount) })}
        </label>
        {isMissing && (
          <p id={missing} role="alert" className="text-danger text-sm">
            {t('Confirm the amount first.')}
          </p>
        )}
      </div>
    ),
  }
}
