import { x402Client, x402HTTPClient } from '@x402/core/client'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { type Hex, isAddress, isAddressEqual, isHex } from 'viem'
import type { Agent } from '../agent/agent.ts'
import { AgentError } from '../agent/agent-error.ts'
import { leftOf, type PaymentOutcome } from '../agent/pay.ts'
import { isSamePayment, type PaymentRecord } from '../agent/payment-records.ts'
import { type Recipient, withName } from '../agent/recipients.ts'
import { readSessions, type Session } from '../agent/sessions.ts'
import { type AgentNetwork, showAmount } from '../agent/tokens.ts'
import { fetchPage, type Page, requireSeller } from './fetch-page.ts'
import { fillPurse, type Purse, type Token } from './purse.ts'

export interface Purchase {
  /** Names the purchase. The same reference never pays twice. */
  readonly reference: string
  readonly url: string
  /** The most to pay, in base units of the purse's token. */
  readonly maxAmount: bigint
  readonly network: AgentNetwork
  readonly token: Token
}

export type PurchaseOutcome =
  | { readonly status: 'free'; readonly page: Page }
  | {
      readonly status: 'paid'
      readonly page: Page
      readonly amount: bigint
      readonly to: Recipient
      readonly txnHash?: Hex
    }
  /** The payment was sent, and the seller did not deliver. The same reference asks again and pays nothing more. */
  | { readonly status: 'undelivered'; readonly page: Page; readonly amount: bigint; readonly to: Recipient }
  | {
      readonly status: 'refill'
      readonly refill: Exclude<PaymentOutcome, { status: 'paid' }>
      readonly missing: bigint
    }

/** What the seller asks for, checked. */
interface Price {
  readonly required: PaymentRequired
  readonly requirements: PaymentRequirements
  readonly amount: bigint
  readonly to: Recipient
}

/**
 * Gets a page, and pays for it by x402 (`exact`, EIP-3009) if the seller asks for that. A reference that was
 * paid before sends the same authorization again, which the token accepts only once.
 *
 * @throws AgentError if the seller is not allowed, asks for too much, or asks in a way that the purse cannot pay
 */
export async function payUrl(agent: Agent, purse: Purse, purchase: Purchase): Promise<PurchaseOutcome> {
  const url = requireSeller(purchase.url, purse.settings.sellers)
  const earlier = await agent.records.find(purchase.reference)
  if (earlier) return resend(agent, earlier, url)
  const page = await fetchPage(url)
  if (page.status !== 402) return { status: 'free', page }

  const price = readPrice(agent, page, purchase)
  const session = await sessionOf(agent, purchase)
  const refill = await fillPurse(agent, purse, {
    ...{ network: purchase.network, token: purchase.token, reference: purchase.reference },
    ...{ needed: price.amount, left: leftOf(session, purchase.token.address) },
  })
  if (refill && refill.status !== 'paid') return { status: 'refill', refill, missing: price.amount }

  const record: PaymentRecord = {
    reference: purchase.reference,
    request: {
      ...{ network: purchase.network.network, to: price.to.address, token: purchase.token.address },
      ...{ amount: String(price.amount), url: url.href },
    },
    headers: await signPayment(purse, price, purchase),
    at: new Date().toISOString(),
  }
  if (await agent.records.create(record)) return deliver(agent, record, url)
  const other = await agent.records.find(purchase.reference)
  if (other && isSamePayment(other.request, record.request)) return resend(agent, other, url)
  throw otherPurchase(purchase.reference)
}

const otherPurchase = (reference: string) =>
  new AgentError(`The reference ${JSON.stringify(reference)} already names another payment. Use a new one.`)

/** The session that fills the purse. */
async function sessionOf(
  { lanyard, settings: { account }, signer: { key } }: Agent,
  { network }: Purchase,
): Promise<Session | undefined> {
  const { sessions } = await readSessions(lanyard, { account, key, network: network.network })
  return sessions[0]
}

/** @throws AgentError if no offer is in the purse's token, or all are above the limit */
function readPrice({ settings }: Agent, page: Page, { network, token, maxAmount }: Purchase): Price {
  let required: PaymentRequired
  try {
    const body = page.contentType.includes('json') ? JSON.parse(page.text) : undefined
    required = readerOfHeaders.getPaymentRequiredResponse((name) => page.headers.get(name), body)
  } catch (cause) {
    throw new AgentError('The page asks for a payment, but not by x402.', { cause })
  }
  const offers = required.accepts.filter(
    ({ scheme, network: caip, asset, extra }) =>
      scheme === 'exact' &&
      caip === `eip155:${network.network}` &&
      isAddress(asset, { strict: false }) &&
      isAddressEqual(asset, token.address) &&
      (extra?.assetTransferMethod ?? 'eip3009') === 'eip3009',
  )
  const priced = offers.flatMap((requirements) => {
    const { amount, payTo } = requirements
    if (!/^\d{1,78}$/.test(amount) || !isAddress(payTo, { strict: false })) return []
    return [{ required, requirements, amount: BigInt(amount), to: withName(payTo, settings.contacts) }]
  })
  const [cheapest] = priced.sort((one, other) => (one.amount < other.amount ? -1 : 1))
  if (!cheapest) {
    throw new AgentError(
      `The seller takes no ${token.symbol} on ${network.name} by the scheme "exact" with EIP-3009, which is all that the purse can pay.`,
    )
  }
  if (cheapest.amount > maxAmount) {
    throw new AgentError(
      `It costs ${showAmount(cheapest.amount, token)}, more than the limit of ${showAmount(maxAmount, token)}. Nothing was paid.`,
    )
  }
  return cheapest
}

const readerOfHeaders = new x402HTTPClient(new x402Client())

/** Signs the authorization, and checks what the library made of it. */
async function signPayment(
  { account }: Purse,
  { required, requirements, amount, to }: Price,
  { network, token }: Purchase,
): Promise<Record<string, string>> {
  const caip = `eip155:${network.network}` as const
  const client = new x402Client().register(caip, new ExactEvmScheme(account)).setSpendControls({
    maxAmountPerPayment: false,
    allowedAssets: [{ network: caip, asset: token.address, maxAmountPerPayment: String(amount) }],
  })
  const payload = await client.createPaymentPayload({ ...required, accepts: [requirements] })
  if (!pays(payload, { from: account.address, to: to.address, amount })) {
    throw new AgentError(
      'The payment that was prepared is not the one that the seller asked for. Nothing was paid.',
    )
  }
  return new x402HTTPClient(client).encodePaymentSignatureHeader(payload)
}

function pays(
  { payload }: PaymentPayload,
  expected: { readonly from: string; readonly to: string; readonly amount: bigint },
): boolean {
  const { authorization } = payload as { authorization?: { from?: string; to?: string; value?: string } }
  return (
    authorization?.from?.toLowerCase() === expected.from.toLowerCase() &&
    authorization.to?.toLowerCase() === expected.to.toLowerCase() &&
    authorization.value === String(expected.amount)
  )
}

async function resend(agent: Agent, record: PaymentRecord, url: URL): Promise<PurchaseOutcome> {
  if (record.request.url !== url.href || !record.headers) throw otherPurchase(record.reference)
  return deliver(agent, record, url)
}

/** Sends the payment, and notes what the seller says of it. */
async function deliver(agent: Agent, record: PaymentRecord, url: URL): Promise<PurchaseOutcome> {
  const page = await fetchPage(url, record.headers)
  const amount = BigInt(record.request.amount)
  const to = withName(record.request.to as Hex, agent.settings.contacts)
  const settled = settlementOf(page)
  const txnHash = settled?.success && isHex(settled.transaction) ? settled.transaction : record.txnHash
  if (page.status >= 400 && !settled?.success) return { status: 'undelivered', page, amount, to }
  await agent.records.finish({ ...record, outcome: 'paid', ...(txnHash && { txnHash }) })
  return { status: 'paid', page, amount, to, ...(txnHash && { txnHash }) }
}

function settlementOf(page: Page) {
  try {
    return readerOfHeaders.getPaymentSettleResponse((name) => page.headers.get(name))
  } catch {
    return undefined // the seller sent no such header
  }
}
