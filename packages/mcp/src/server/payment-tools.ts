import { setTimeout as sleep } from 'node:timers/promises'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { Address } from 'viem'
import { z } from 'zod'
import type { Agent } from '../agent/agent.ts'
import { AgentError } from '../agent/agent-error.ts'
import { linkToOwner, permissionsFor } from '../agent/ask-owner.ts'
import { type Payment, type PaymentOutcome, pay, whyRejected } from '../agent/pay.ts'
import { type Recipient, resolveRecipient, showRecipient } from '../agent/recipients.ts'
import { readSessions, type Session } from '../agent/sessions.ts'
import { decimalAmount } from '../agent/settings.ts'
import {
  type AgentNetwork,
  type Currency,
  findCurrency,
  findNetwork,
  readNetworks,
  showAmount,
  toBaseUnits,
} from '../agent/tokens.ts'
import { runTool } from './answers.ts'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

export const reference = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe('Your name for this payment, such as "invoice 17". The same reference never pays twice.')
const networkId = z.int().positive().describe('Chain id, as get_account lists it.')
const token = z.string().max(64).describe("A symbol such as USDC, or a token's address.")
const to = z.string().max(100).describe("A contact's name, or an address.")
const amount = decimalAmount.describe('In whole units, such as "12.5".')
const waitSeconds = z
  .int()
  .min(0)
  .max(600)
  .default(0)
  .describe('If the owner has to approve: how long to wait for it before you answer.')

/** Milliseconds between two checks for the owner's grant. */
const grantInterval = 2_000

export function addPaymentTools(server: McpServer, agent: Agent): void {
  const { lanyard, settings, signer } = agent
  const { account, contacts } = settings

  const read = async (input: { network: number; token: string; to: string; amount: string }) => {
    const network = findNetwork(await readNetworks(lanyard, settings), input.network)
    const currency = findCurrency(network, input.token)
    return {
      ...{ network, currency, amount: toBaseUnits(input.amount, currency) },
      to: resolveRecipient(input.to, contacts),
    }
  }

  server.registerTool(
    'quote_payment',
    {
      title: 'Quote a payment',
      description:
        'Whether a payment is within your limits, and the most that its fee can be. Sends nothing.',
      inputSchema: { network: networkId, token, to, amount },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (input) =>
      runTool(async () => {
        const payment = await read(input)
        const { network, currency } = payment
        const [coin] = network.currencies
        const { sessions } = await readSessions(lanyard, {
          account,
          key: signer.key,
          network: network.network,
        })
        const [session] = sessions
        const left = session?.allowances.find(
          (one) => one.token?.toLowerCase() === currency.address?.toLowerCase(),
        )?.left
        return {
          ...describePayment(payment),
          left: left === undefined ? 'nothing is allowed yet' : showAmount(BigInt(left), currency),
          withinAllowance: left !== undefined && BigInt(left) >= payment.amount,
          ...(session &&
            coin && {
              feeAtMost:
                session.paymaster === undefined
                  ? showAmount(BigInt(session.feePerOperation), coin)
                  : 'sponsored',
            }),
        }
      }),
  )

  server.registerTool(
    'send_payment',
    {
      title: 'Send a payment',
      description:
        'Pays from the account. Beyond your limits it pays nothing and answers a link with which the owner can allow more.',
      inputSchema: { reference, network: networkId, token, to, amount, waitSeconds },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    (input, extra) =>
      runTool(async () => {
        const payment = { ...(await read(input)), reference: input.reference }
        return payOrAsk(agent, payment, input.waitSeconds, extra)
      }),
  )

  server.registerTool(
    'request_allowance',
    {
      title: 'Ask the owner for an allowance',
      description:
        'Answers a link for the owner. What is left of your present limits is kept, and this is added. Nothing changes until the owner approves it in the wallet.',
      inputSchema: {
        network: networkId,
        token,
        amount,
        period: z
          .enum(['day', 'week', 'month', 'total'])
          .default('total')
          .describe('How often the amount is available again. A month is 30 days.'),
        to: z.array(to).min(1).max(16).describe('Who may be paid: names of contacts, or addresses.'),
        days: z.int().min(1).max(365).default(30).describe('How long the allowance lasts.'),
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (input) =>
      runTool(async () => {
        const network = findNetwork(await readNetworks(lanyard, settings), input.network)
        const currency = findCurrency(network, input.token)
        const recipients = input.to.map((one) => resolveRecipient(one, contacts))
        const { sessions } = await readSessions(lanyard, {
          account,
          key: signer.key,
          network: network.network,
        })
        const link = await linkFor(agent, {
          ...{ network, currency, session: sessions[0], to: recipients, days: input.days },
          amount: toBaseUnits(input.amount, currency),
          period: secondsOf[input.period],
        })
        return {
          ask: 'Show this link to the owner. Only the owner can approve it.',
          link,
          wouldAllow: `${showAmount(toBaseUnits(input.amount, currency), currency)} (${input.period}) to ${recipients.map(showRecipient).join(', ')}`,
        }
      }),
  )
}

const day = 86_400
const secondsOf = { day, week: 7 * day, month: 30 * day, total: undefined } as const

interface Ask {
  readonly network: AgentNetwork
  readonly currency: Currency
  readonly amount: bigint
  readonly period?: number | undefined
  readonly to: readonly Recipient[]
  readonly session: Session | undefined
  readonly days: number
}

/** The link with which the owner allows more. */
export async function linkFor(
  { lanyard, settings, signer }: Agent,
  { network, currency, amount, period, to, session, days }: Ask,
): Promise<string> {
  const { walletUrl, name, origin } = settings
  const [first] = to
  if (!first) throw new AgentError('Name at least one recipient.')
  const feePerOperation = session
    ? BigInt(session.feePerOperation)
    : await feeOfOneOperation(lanyard, network, settings.account)
  return linkToOwner({
    ...{ walletUrl, name, origin, network: network.network, sessionKey: signer.sessionKey },
    duration: days * day,
    permissions: permissionsFor(session, {
      ...(currency.address && { token: currency.address }),
      ...{ amount, to: to.map(({ address }) => address), feePerOperation },
      ...(period !== undefined && { period }),
    }),
  })
}

/** How much dearer a session's operation is than an owner's, and fees of a busier hour. */
const feeMargin = 4n

async function feeOfOneOperation(lanyard: Agent['lanyard'], { network }: AgentNetwork, account: Address) {
  const { result } = await lanyard.smartAccount.gasFees({
    network: String(network),
    walletAddress: account,
    transactionDetails: [{ targetContractAddress: account, value: '0', encodedData: '0x' }],
  })
  return BigInt(result) * feeMargin
}

const describePayment = ({ network, currency, amount, to }: Omit<Payment, 'reference'>) => ({
  network: `${network.name} (${network.network})`,
  amount: showAmount(amount, currency),
  to,
})

/** Pays; if the owner has to allow it first, answers the link, and waits for the grant if asked to. */
async function payOrAsk(
  agent: Agent,
  payment: Payment,
  waitSeconds: number,
  extra: Extra,
): Promise<Record<string, unknown>> {
  const outcome = await pay(agent, payment)
  if (outcome.status !== 'needs_owner') return describeOutcome(outcome, payment)
  const { network, currency, amount, to } = payment
  const link = await linkFor(agent, {
    ...{ network, currency, amount, to: [to], session: outcome.session, days: 30 },
  })
  const granted = await waitForGrant(agent, { payment, before: outcome.session, waitSeconds, link }, extra)
  const next = granted ? await pay(agent, payment) : outcome
  if (next.status !== 'needs_owner') return describeOutcome(next, payment)
  return {
    status: 'needs_owner',
    ...describePayment(payment),
    why: next.why,
    link,
    ask: 'Nothing was paid. Show the link to the owner, and send the payment again with the same reference once it is approved.',
  }
}

const says = {
  paid: 'Paid.',
  pending: 'Sent, and not yet included. Ask again with the same reference; do not use another one.',
  failed: 'Nothing was transferred. Use a new reference to try again.',
  refused:
    'Nothing was transferred so far. The same reference tries the same payment again. Under a new reference both could be paid, so ask the person first.',
} as const

function describeOutcome(
  outcome: Exclude<PaymentOutcome, { status: 'needs_owner' }>,
  payment: Payment,
): Record<string, unknown> {
  const { status, ...rest } = outcome
  return { status, ...describePayment(payment), reference: payment.reference, ...rest, note: says[status] }
}

/** Waits until the owner has granted a session that allows the payment, or the time is over. */
async function waitForGrant(
  { lanyard, settings: { account, contacts }, signer }: Agent,
  {
    payment,
    before,
    waitSeconds,
    link,
  }: { payment: Payment; before: Session | undefined; waitSeconds: number; link: string },
  { signal, _meta, sendNotification }: Extra,
): Promise<boolean> {
  const deadline = Date.now() + waitSeconds * 1000
  const progressToken = _meta?.progressToken
  const { network } = payment.network
  for (let check = 1; Date.now() < deadline && !signal.aborted; check += 1) {
    if (progressToken !== undefined) {
      const message = `Waiting for the owner: ${link}`
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: check, message },
      })
    }
    await sleep(grantInterval, undefined, { signal }).catch(() => undefined)
    const { sessions } = await readSessions(lanyard, { account, key: signer.key, network })
    const [now] = sessions
    // The chain may have refused what the agent saw no reason against: then something has to change first.
    const hasChanged = JSON.stringify(now) !== JSON.stringify(before)
    if (hasChanged && whyRejected(now, payment, contacts) === undefined) return true
  }
  return false
}
