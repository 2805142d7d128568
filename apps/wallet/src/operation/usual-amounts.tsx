import type { Call } from '@lanyard/accounts'
import {
  type Currency,
  describeSessionCall,
  describeSmartBalanceCall,
  nativeOf,
  tryDecode,
} from '@lanyard/calls'
import { formatAmount, locale, Notice, readStoredList, writeStored } from '@lanyard/ui'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { type Address, decodeFunctionData, type Hex, isAddressEqual, parseAbi } from 'viem'
import { t } from '../i18n/t.ts'
import type { Network } from '../networks/use-networks.ts'
import { useSession } from '../sign-in/session-context.tsx'
import type { PreparedOperation } from './prepare-operation.ts'

/** Payments of one currency on one network that count as usual. */
const maxKept = 20

/** More than this many times the largest of them is unusual. */
const unusualFactor = 3n

/** This browser keeps them: a service that lies cannot change what is usual. */
const keyOf = (account: Address, chainId: number, { token }: Currency) =>
  `lanyard.paid.${account.toLowerCase()}.${chainId}.${token?.toLowerCase() ?? 'native'}`

const readPaid = (key: string): readonly bigint[] =>
  readStoredList(key).flatMap((text) =>
    typeof text === 'string' && /^\d{1,78}$/.test(text) ? [BigInt(text)] : [],
  )

/** The functions by which tokens in common use leave the account that calls them. */
const tokenMoves = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function transferAndCall(address to, uint256 amount)',
  'function transferAndCall(address to, uint256 amount, bytes data)',
  'function send(address to, uint256 amount, bytes data)',
])

interface Sent {
  readonly currency: Currency
  readonly amount: bigint
}

/** What calls send to others. The bytes of `unnamed` ones do not say how much. */
interface Movements {
  readonly sent: readonly Sent[]
  readonly unnamed: boolean
}

/**
 * What one call moves from the account to others. Coins count whatever the data of their call are, because the
 * recipient of a call gets its coins also if it cannot read the data.
 */
function movementsOf(call: Call, account: Address, network: Network): Movements {
  const { currencies, smartBalance, sessionKeys } = network
  const data = call.data.toLowerCase() as Hex // lower case changes no bytes
  const isOther = (address: Address) => !isAddressEqual(address, account)
  const sent: Sent[] = []
  if (call.value > 0n && isOther(call.to)) sent.push({ currency: nativeOf(currencies), amount: call.value })

  const currency = currencies.find(({ token }) => token && isAddressEqual(token, call.to))
  const move = currency && tryDecode(() => decodeFunctionData({ abi: tokenMoves, data }))
  if (currency && move) {
    const [from, to, amount] =
      move.functionName === 'transferFrom' ? move.args : [account, move.args[0], move.args[1]]
    if (!isOther(from) && isOther(to)) sent.push({ currency, amount })
  }

  if (smartBalance && isAddressEqual(call.to, smartBalance.address)) {
    const { token, unit } = smartBalance
    const described = describeSmartBalanceCall(data, unit)
    const inToken = (amount: bigint) => amount * 10n ** BigInt(token.decimals - unit.decimals)
    if (described?.kind === 'deposit' && described.beneficiary && isOther(described.beneficiary))
      sent.push({ currency: token, amount: inToken(described.amount) })
    if (described?.kind === 'withdraw' && isOther(described.to))
      sent.push({ currency: token, amount: inToken(described.amount) })
    if (described?.kind === 'finalize-exit') return { sent, unnamed: isOther(described.to) }
  }
  if (sessionKeys && isAddressEqual(call.to, sessionKeys)) {
    const described = describeSessionCall(data)
    if (described?.kind === 'act-in-session') {
      const inner = described.calls.map((one) => movementsOf(one, account, network))
      return {
        sent: [...sent, ...inner.flatMap((one) => one.sent)],
        unnamed: inner.some(({ unnamed }) => unnamed),
      }
    }
  }
  return { sent, unnamed: false }
}

type Reviewed = Pick<PreparedOperation, 'network' | 'verified'>

/** What an operation sends to others, by currency. */
function sentIn({ network, verified }: Reviewed, account: Address) {
  const sums = new Map<string, Sent>()
  const movements = verified.calls.map((call) => movementsOf(call, account, network))
  for (const { currency, amount } of movements.flatMap(({ sent }) => sent)) {
    const key = keyOf(account, network.chainId, currency)
    sums.set(key, { currency, amount: amount + (sums.get(key)?.amount ?? 0n) })
  }
  return { sums, unnamed: movements.some(({ unnamed }) => unnamed) }
}

/** Remembers what was sent, once it is signed. */
export function rememberSent(prepared: PreparedOperation, account: Address): void {
  for (const [key, { amount }] of sentIn(prepared, account).sums)
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
 * currency on this network. The first payment has nothing to compare with. It also asks if the bytes do not say how
 * much leaves. What the service says about balances decides nothing here.
 */
export function useUnusualAmount(prepared: PreparedOperation | undefined): Consent {
  const { account } = useSession()
  const [given, setGiven] = useState<PreparedOperation>()
  const [asked, setAsked] = useState<PreparedOperation>()
  const missing = useId()
  const found = useMemo(() => {
    if (!prepared) return undefined
    const { sums, unnamed } = sentIn(prepared, account)
    const unusual = [...sums].flatMap(([key, { currency, amount }]) => {
      const largest = readPaid(key).reduce((a, b) => (a > b ? a : b), 0n)
      return largest > 0n && amount > largest * unusualFactor ? [{ currency, amount, largest }] : []
    })
    return { unusual, unnamed }
  }, [prepared, account])
  if (!prepared || !found || (found.unusual.length === 0 && !found.unnamed))
    return { notice: null, check: () => true }
  const { unusual, unnamed } = found
  const list = new Intl.ListFormat(locale)
  const money = (units: bigint, { decimals, symbol }: Currency) =>
    `${formatAmount(units, decimals)} ${symbol}`
  const wanted = unusual.map(({ currency, amount }) => money(amount, currency))
  if (unnamed) wanted.push(t('everything that leaves the combined balance'))
  const isMissing = asked === prepared && given !== prepared
  return {
    check: () => {
      setAsked(prepared)
      return given === prepared
    },
    notice: (
      <div className="grid gap-2.5">
        {unusual.length > 0 && (
          <Notice tone="warning" title={t('This is much more than you usually send.')}>
            {t('The most that you sent from this browser lately is {amount}.', {
              amount: list.format(unusual.map(({ currency, largest }) => money(largest, currency))),
            })}
          </Notice>
        )}
        {unnamed && (
          <Notice tone="warning" title={t('The transaction does not say how much it sends.')}>
            {t('All that was requested from the combined balance goes to another address.')}
          </Notice>
        )}
        <label className="flex min-h-11 items-center gap-3 text-sm">
          <input
            type="checkbox"
            className="size-5 shrink-0"
            checked={given === prepared}
            aria-describedby={isMissing ? missing : undefined}
            onChange={({ target }) => setGiven(target.checked ? prepared : undefined)}
          />
          {t('I want to send {amount}.', { amount: list.format(wanted) })}
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
