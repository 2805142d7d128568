import type { Currency } from '@lanyard/calls'
import { type Address, isAddressEqual } from 'viem'
import { isShown } from '../amounts/currency.ts'
import { parseAddress } from './recipient.ts'

interface PaymentUriInput {
  readonly to: Address
  readonly chainId: number
  readonly currency: Currency
  /** Base units. Undefined: the payer chooses the amount. */
  readonly amount: bigint | undefined
}

/** A payment request that wallets read from a QR code (ERC-681): native value, or a token transfer. */
export function paymentUri({ to, chainId, currency, amount }: PaymentUriInput): string {
  if (!currency.token) return `ethereum:${to}@${chainId}${amount === undefined ? '' : `?value=${amount}`}`
  const query = `address=${to}${amount === undefined ? '' : `&uint256=${amount}`}`
  return `ethereum:${currency.token}@${chainId}/transfer?${query}`
}

/** A request in the wallet's own form of a link, for people whose device opens no `ethereum:` links. */
export const requestLink = (uri: string): string =>
  `${location.origin}/send?request=${encodeURIComponent(uri)}`

/** What a payment request asks for. */
interface RequestedPayment {
  readonly to: Address
  /** Undefined: any network. */
  readonly chainId: number | undefined
  /** Undefined: native value. */
  readonly token: Address | undefined
  /** Base units. Undefined: the payer chooses. */
  readonly amount: bigint | undefined
}

const form =
  /^ethereum:(?:pay-)?(?<target>0x[0-9a-f]{40})(?:@(?<chain>\d{1,16}))?(?:\/(?<call>[^?/]*))?(?:\?(?<query>.*))?$/i

const gasNames: ReadonlySet<string> = new Set(['gas', 'gasLimit', 'gasPrice'])

/**
 * Reads a payment request (ERC-681): native value to an address, or the `transfer` of a token. Undefined for any other call, since
 * this wallet could not show what it does, and for names, which it does not resolve.
 */
export function readPaymentUri(text: string): RequestedPayment | undefined {
  const { target = '', chain, call, query = '' } = form.exec(text.trim())?.groups ?? {}
  const address = parseAddress(target)
  if (!address.ok) return undefined
  const values = new URLSearchParams(query)
  // One of two equal names would be ignored, and nobody sees which.
  if (new Set(values.keys()).size !== [...values.keys()].length) return undefined
  // Types and their order decide which function is called, so any other list is another call. The wallet chooses the gas itself.
  const names = [...values.keys()].filter((name) => !gasNames.has(name)).join()
  const chainId = chain === undefined ? undefined : Number(chain)
  if (!call) {
    if (!['', 'value'].includes(names)) return undefined
    const amount = readNumber(values.get('value'))
    return amount === null ? undefined : { to: address.address, chainId, token: undefined, amount }
  }
  const to = parseAddress(values.get('address') ?? '')
  const amount = readNumber(values.get('uint256'))
  if (call !== 'transfer' || !['address', 'address,uint256'].includes(names)) return undefined
  if (!to.ok || amount === null) return undefined
  return { to: to.address, chainId, token: address.address, amount }
}

/** A number of ERC-681, such as `2.014e18`. Undefined if it is absent, null if it is not a whole number. */
function readNumber(text: string | null): bigint | undefined | null {
  if (text === null) return undefined
  const {
    whole,
    fraction = '',
    exponent = '0',
  } = /^(?<whole>\d{1,78})(?:\.(?<fraction>\d{1,78}))?(?:e(?<exponent>\d{1,2}))?$/i.exec(text)?.groups ?? {}
  const digits = fraction.replace(/0+$/, '')
  const zeros = Number(exponent) - digits.length
  return whole === undefined || zeros < 0 ? null : BigInt(whole + digits + '0'.repeat(zeros))
}

interface Place {
  readonly chainId: number
  readonly currencies: readonly Currency[]
}

/** Where this wallet can pay a request: the network and the index of its currency. Undefined if it cannot. */
export function placeOfRequest({ chainId, token }: RequestedPayment, networks: readonly Place[]) {
  for (const network of networks) {
    if (chainId !== undefined && chainId !== network.chainId) continue
    const asset = network.currencies.findIndex((currency) =>
      token ? currency.token && isAddressEqual(currency.token, token) : !currency.token,
    )
    const currency = network.currencies[asset]
    if (currency && isShown(currency)) return { chainId: network.chainId, asset, currency }
  }
  return undefined
}
