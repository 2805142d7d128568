import type { Call } from '@lanyard/accounts'
import type { OrderPlan } from '@lanyard/smart-balance'
import { type Address, encodeFunctionData, erc20Abi, isAddressEqual } from 'viem'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { describeProblem } from '../errors/describe-problem.ts'
import { ExplainedError } from '../errors/error-text.ts'
import { WalletError } from '../errors/wallet-error.ts'
import type { SmartBalanceNetwork } from '../networks/use-networks.ts'
import { type PreparedOperation, toPrepared } from '../operation/prepare-operation.ts'
import { verifyPayment } from '../operation/verify-payment.ts'
import { toTransactionDetails } from '../passkey/verify-operation.ts'
import { fetchQuote, type PaymentRequest } from './quote.ts'
import { toTokens } from './use-deposits.ts'

/**
 * Has the service reserve and build a payment from the combined balance at the current price, and verifies
 * every byte of the response.
 *
 * @throws ExplainedError if deposits, liquidity or fees do not allow it; WalletError if the response does not match the price; errors of the service
 */
export async function preparePayment(
  session: Session,
  network: SmartBalanceNetwork,
  request: PaymentRequest,
  recipient: Address,
  signal: AbortSignal,
): Promise<PreparedOperation> {
  const quote = await fetchQuote(session.account, request, signal)
  if (!quote.ok) throw new ExplainedError(describeProblem(quote, network.smartBalance.unit))
  const { plan } = quote
  const calls = paymentCalls(session.account, network, plan, recipient)
  const answer = await trpc.webauthn.transactionOptions.mutate(
    {
      username: session.username,
      network: network.chainId,
      transactionDetails: toTransactionDetails(calls),
      orderData: {
        amount: request.amount.toString(),
        type: request.type,
        limit: (request.type === 'AMOUNT_OUT' ? plan.total : plan.amount).toString(),
      },
    },
    { signal },
  )
  const { order } = answer
  if (!order) throw new WalletError('ORDER_DIFFERS')
  const { operation, ...payment } = verifyPayment(answer, {
    account: session.account,
    chainId: network.chainId,
    smartBalance: network.smartBalance.address,
    plan,
    calls,
    now: Math.floor(Date.now() / 1_000),
  })
  return { ...toPrepared(network, answer, operation), payment: { ...payment, orderId: order.orderId } }
}

/** A withdrawal to the own account arrives through the order's own calls, so there is nothing to send. */
function paymentCalls(
  account: Address,
  { smartBalance }: SmartBalanceNetwork,
  { amount }: OrderPlan,
  recipient: Address,
): readonly Call[] {
  if (isAddressEqual(recipient, account)) return []
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [recipient, toTokens(smartBalance, amount)],
  })
  return [{ to: smartBalance.token.token, value: 0n, data }]
}
