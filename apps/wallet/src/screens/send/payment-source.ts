import type { Currency } from '@lanyard/calls'
import { type Address, isAddressEqual } from 'viem'
import { parseAmount } from '../../amounts/amounts.ts'
import { balanceOf, type NetworkBalance } from '../../holdings/use-balances.ts'
import { hasSmartBalance, type Network, type SmartBalanceNetwork } from '../../networks/use-networks.ts'
import { type Deposits, spendableOf, toUnits } from '../../smart-balance/use-deposits.ts'

/** What pays: the account on one network, or the deposits of all networks together. */
export type PaymentSource = 'account' | 'combined'

interface Wanted {
  readonly account: Address
  readonly network: Network
  readonly currency: Currency
  /** As it was typed. */
  readonly amount: string
  readonly recipient: Address | undefined
  /** Undefined while it is unknown. */
  readonly balance: NetworkBalance | undefined
  readonly deposits: Deposits | undefined
}

/** Whether a currency is the one of the combined balance on its network. */
export const isSettled = (network: Network, currency: Currency): network is SmartBalanceNetwork =>
  hasSmartBalance(network) && currency.token === network.smartBalance.token.token

/**
 * The cheapest source that can pay. The account costs only the network fee, so it is first. The combined balance pays
 * what the account cannot: it has too little there, or no coin for the fee. Money for the own account can only come from
 * the combined balance. If neither has enough, the larger one is named, so that its figures explain why.
 */
export function cheapestSource({
  account,
  network,
  currency,
  amount,
  recipient,
  balance,
  deposits,
}: Wanted): PaymentSource {
  if (!isSettled(network, currency) || !deposits) return 'account'
  const spendable = spendableOf(deposits)
  if (spendable === 0n) return 'account'
  if (recipient && isAddressEqual(recipient, account)) return 'combined'
  const held = balanceOf(balance, currency)
  if (held === undefined) return 'account'
  const units = toUnits(network.smartBalance, held)
  const parsed = parseAmount(amount, network.smartBalance.unit.decimals)
  const wanted = parsed.ok ? parsed.value : 0n
  const canPay = units > 0n && units >= wanted && balance?.native !== 0n
  if (canPay) return 'account'
  return spendable >= wanted || spendable > units ? 'combined' : 'account'
}

/**
 * The network that pays if nobody chose one: the first whose account has enough of a currency and a coin for the fee,
 * otherwise the first that has anything of it, otherwise the given one. The combined balance can pay on any.
 */
export function networkToPay(
  fallback: Network,
  { symbol }: Currency,
  amount: string,
  networks: readonly Network[],
  balances: readonly NetworkBalance[] | undefined,
): Network {
  const held = [fallback, ...networks].flatMap((network) => {
    const currency = network.currencies.find((one) => one.symbol === symbol)
    const balance = balances?.find(({ chainId }) => chainId === network.chainId)
    const units = currency && balanceOf(balance, currency)
    return units ? [{ network, currency, units, native: balance?.native }] : []
  })
  const canPay = held.find(({ currency, units, native }) => {
    const parsed = parseAmount(amount, currency.decimals)
    return native !== 0n && (!parsed.ok || units >= parsed.value)
  })
  return (canPay ?? held[0])?.network ?? fallback
}

/** What the form shows before anybody chose: the first network and currency of which the account has something. */
export function firstHeld(
  networks: readonly Network[],
  balances: readonly NetworkBalance[] | undefined,
  deposits: Deposits | undefined,
): { readonly network: Network | undefined; readonly asset: number } {
  const heldOn = (network: Network) =>
    network.currencies.findIndex((currency) => {
      const balance = balances?.find(({ chainId }) => chainId === network.chainId)
      return (balanceOf(balance, currency) ?? 0n) > 0n
    })
  const network = networks.find((one) => heldOn(one) >= 0) ?? networks[0]
  const held = network ? heldOn(network) : -1
  if (!network || held >= 0) return { network, asset: Math.max(held, 0) }
  const settled = network.currencies.findIndex((currency) => isSettled(network, currency))
  return { network, asset: deposits && spendableOf(deposits) > 0n ? Math.max(settled, 0) : 0 }
}
