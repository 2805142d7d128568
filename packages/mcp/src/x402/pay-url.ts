import { x402Client, x402HTTPClient } from '@x402/core/client'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { type Hex, isAddress, isAddressEqual, isHex, size } from 'viem'
import { z } from 'zod'
import type { Agent } from '../agent/agent.ts'
import { AgentError } from '../agent/agent-error.ts'
import { leftOf, type PaymentOutcome } from '../agent/pay.ts'
import { isSamePayment, type PaymentRecord } from '../agent/payment-records.ts'
import { type Recipient, withName } from '../agent/recipients.ts'
import { readSessions, type Session } from '../agent/sessions.ts'
import { type AgentNetwork, showAmount, toBaseUnits } from '../agent/tokens.ts'
import { fetchPage, type Page, requireSeller } from './fetch-page.ts'
import { fillPurse, hasLapsed, type Purse, readPurse, sumOf, type Token } from './purse.ts'

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
 * paid before sends the same authorization again, which the token accepts only once; if it has expired uncollected,
 * another one is signed.
 *
 * @throws AgentError if the seller is not allowed, asks for too much, or asks in a way that the purse cannot pay
 */
export async function payUrl(agent: Agent, purse: Purse, purchase: Purchase): Promise<PurchaseOutcome> {
  const url = requireSeller(purchase.url, purse.settings.sellers)
  const earlier = await agent.records.find(purchase.reference)
  if (earlier) {
    requirePurchase(earlier, url)
    const { network, token } = purchase
    const isOver = earlier.outcome === undefined && (await hasLapsed(purse, network, token, earlier))
    if (!isOver) return deliver(agent, earlier, url)
    // The token refuses it from now on, so another one does not pay twice.
    await agent.records.setAside(earlier)
  }
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
    ...(await signPayment(purse, price, purchase)),
    at: new Date().toISOString(),
  }
  if (await agent.records.create(record)) {
    await requireCeiling(agent, purse, purchase, record)
    return deliver(agent, record, url)
  }
  const other = await agent.records.find(purchase.reference)
  if (!other || !isSamePayment(other.request, record.request)) throw otherPurchase(purchase.reference)
  return deliver(agent, other, url)
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

/**
 * Two purchases at once may both have found room below the ceiling. Now both are on record, so each sees the other.
 *
 * @throws AgentError if they pass it together; the signature was not sent, and the reference can be used again
 */
async function requireCeiling(
  agent: Agent,
  purse: Purse,
  { network, token }: Purchase,
  record: PaymentRecord,
): Promise<void> {
  const { outstanding } = await readPurse(agent, purse, network, token)
  if (sumOf(outstanding) <= toBaseUnits(purse.settings.ceiling, token)) return
  await agent.records.setAside(record)
  throw new AgentError(
    'Another payment of the purse is under way, and both together are above its ceiling. Nothing was paid. Try again with the same reference.',
  )
}

/** Seconds. A seller may ask for years, during which it could collect without having delivered. */
const maxValidity = 600

/** Signs the authorization, and checks what the library made of it. */
async function signPayment(
  { account }: Purse,
  { required, requirements, amount, to }: Price,
  { network, token }: Purchase,
): Promise<Required<Pick<PaymentRecord, 'headers' | 'authorization'>>> {
  const caip = `eip155:${network.network}` as const
  const client = new x402Client().register(caip, new ExactEvmScheme(account)).setSpendControls({
    maxAmountPerPayment: false,
    allowedAssets: [{ network: caip, asset: token.address, maxAmountPerPayment: String(amount) }],
  })
  const maxTimeoutSeconds = Math.min(requirements.maxTimeoutSeconds, maxValidity)
  const shorter = { ...requirements, maxTimeoutSeconds }
  const payload = await client.createPaymentPayload({ ...required, accepts: [shorter] })
  // The seller compares this with its offer. It is not signed.
  if (payload.accepted) payload.accepted = requirements
  const authorization = readAuthorization(payload, { from: account.address, to: to.address, amount })
  if (!authorization) {
    throw new AgentError(
      'The payment that was prepared is not the one that the seller asked for. Nothing was paid.',
    )
  }
  const headers = new x402HTTPClient(client).encodePaymentSignatureHeader(payload)
  return { headers, authorization }
}

const signedAuthorization = z.object({
  from: z.string().transform((text) => text.toLowerCase()),
  to: z.string().transform((text) => text.toLowerCase()),
  value: z.string(),
  nonce: z.templateLiteral(['0x', z.string()]).refine((nonce) => isHex(nonce) && size(nonce) === 32),
  validBefore: z.string().transform(Number).pipe(z.int()),
})

/** What was signed; undefined if it is not the payment that was meant, or holds for too long. */
function readAuthorization(
  { payload }: PaymentPayload,
  expected: { readonly from: string; readonly to: string; readonly amount: bigint },
): PaymentRecord['authorization'] {
  const { data } = signedAuthorization.safeParse(payload.authorization)
  if (!data) return undefined
  const { from, to, value, nonce, validBefore } = data
  const isExpected =
    from === expected.from.toLowerCase() &&
    to === expected.to.toLowerCase() &&
    value === String(expected.amount) &&
    validBefore <= Math.floor(Date.now() / 1000) + maxValidity
  return isExpected ? { nonce, validBefore } : undefined
}

function requirePurchase(record: PaymentRecord, url: URL): void {
  if (record.request.url !== url.href || !record.headers) throw otherPurchase(record.reference)
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
