import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { decodeOrderMarker } from '@lanyard/smart-balance'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { type AnyWallet, isContractAccount, requireContractAccount } from '../../accounts/accounts/wallet.ts'
import { keyNameOf } from '../../accounts/api-keys/api-key.ts'
import { budgetCallerOf } from '../../accounts/callers/caller.ts'
import { requireOrderAuthority } from '../../accounts/callers/require-order-authority.ts'
import { externalPayer } from '../../gas-policies/external-payer.ts'
import { type PolicyBudget, policyBudget } from '../../gas-policies/policy-budget.ts'
import { policyRejection, requirePolicy } from '../../gas-policies/require-policy.ts'
import { requireNotSuspended } from '../../gas-policies/suspensions.ts'
import { type BuildTarget, type Payer, verbatimPayer } from '../../operations/build-request.ts'
import type { ScreeningPurpose } from '../../operations/screening/screening.ts'
import { getSmartBalance } from '../model/get-smart-balance.ts'
import type { SpenderContext } from '../model/services.ts'
import { findOrderSigners } from '../model/signers.ts'
import { type FoundOrder, findOrder } from './find-order.ts'
import { orderPayer } from './order-payer.ts'
import { findEoaSigners, type OrderSignerCandidate, requireOrderSigner } from './order-signers.ts'
import { requireReservedCalls, reservedCalls } from './reserved-calls.ts'
import { sponsor } from './sponsor.ts'
import { tokenFeePayer, withoutApproval } from './token-fee.ts'

interface PaymentInput {
  readonly paymasterData?: string | undefined
  readonly feeToken?: string | undefined
  readonly orderData?: unknown
  readonly replaces?: string | undefined
}

/**
 * An order of `orderData` pays for the gas and has its own nonce, so it cannot be combined with
 * `paymasterData`, `feeToken` or `replaces`; nor can the first two with each other.
 *
 * @throws INVALID_INPUT
 */
export function requireOnePayer({ paymasterData = '0x', feeToken, orderData, replaces }: PaymentInput): void {
  if (feeToken !== undefined && (paymasterData !== '0x' || orderData !== undefined)) {
    const other = orderData === undefined ? 'paymasterData' : 'orderData'
    throw new LanyardError('INVALID_INPUT', {
      issues: [{ path: 'feeToken', message: `Send feeToken or ${other}, not both.` }],
    })
  }
  if (orderData === undefined) return
  const issues = [
    ...(paymasterData === '0x'
      ? []
      : [{ path: 'paymasterData', message: 'Send orderData or paymasterData, not both.' }]),
    ...(replaces === undefined
      ? []
      : [
          {
            path: 'replaces',
            message: "To raise the fees of an order's operation, build it again with its paymasterData.",
          },
        ]),
  ]
  if (issues.length > 0) throw new LanyardError('INVALID_INPUT', { issues })
}

interface PayerRequest<T extends OrderSignerCandidate> extends BuildTarget<AnyWallet> {
  readonly paymasterData: 'sponsored' | Hex
  /** The token in which the account pays the gas. `paymasterData` is `0x` then. */
  readonly feeToken?: Address | undefined
  /** Undefined when the calls cannot be read from the call data. */
  readonly calls: readonly Call[] | undefined
  /** Present when it differs from the call data of an owner's operation. */
  readonly callData?: Hex | undefined
  /** Called only if an order needs the signers. */
  readonly signers: () => Promise<readonly [T, ...T[]]>
}

/** SmartBalance accepts operations of its own EntryPoint only, v0.7. */
const useExternal = 'Let the account pay, or a policy with an external paymaster for EntryPoint v0.8.'

interface FoundPayer<T> {
  readonly payer: Payer
  /** Present when only this owner can sign. */
  readonly signer?: T
}

/**
 * Finds who pays, according to `paymasterData`. `sponsored` means the service or an external paymaster, as
 * gas policies decide. The marker of a solution means its order. Any other value is used unchanged.
 *
 * @throws UNAUTHORIZED, FORBIDDEN, UNKNOWN_ORDER, ORDER_MISMATCH, ORDER_EXPIRED, PAYMASTER_REFUSED,
 * PAYMASTER_FAILED, NO_SMART_BALANCE, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findPayer<T extends OrderSignerCandidate>(
  context: SpenderContext,
  request: PayerRequest<T>,
): Promise<FoundPayer<T>> {
  const { wallet, network, paymasterData, feeToken, calls, callData, signers } = request
  const { services } = context
  if (feeToken !== undefined) return { payer: await findTokenFee(context, { ...request, feeToken }) }
  if (paymasterData === 'sponsored') {
    await requireOrderAuthority(context, wallet)
    const [{ key }] = await signers()
    const sponsored = await sponsoredRequest(context, { wallet, network })
    const policy = await requirePolicy(services, { ...sponsored, calls })
    const budget = policyBudget(services, policy, sponsored)
    const { id, paymaster } = policy
    if (!paymaster) requireContractAccount(wallet, useExternal)
    const payer = paymaster
      ? await externalPayer(services, { wallet, network, calls, callData, paymaster, policy: id, budget })
      : await sponsor(services, { network, signer: key, budget, policy })
    return { payer: { ...payer, screen: () => screen(context, 'sponsor', { wallet, network, calls }) } }
  }
  const marker = decodeOrderMarker(paymasterData)
  if (!marker) return { payer: verbatimPayer(paymasterData) }

  const account = requireContractAccount(wallet, useExternal)
  await requireOrderAuthority(context, account)
  const found = await findOrder(services.database, marker, { wallet: account, network })
  const signer = requireOrderSigner(found.order, await signers())
  const reserved = reservedCalls(found, getSmartBalance(network).address)
  requireReservedCalls(reserved, calls ?? [])
  const own = calls?.slice(reserved.length)
  const budget = await findOrderBudget(context, { wallet: account, network }, found, own)
  const payer = await orderPayer(services, { network, found, signer: signer.key, budget })
  return { payer: { ...payer, screen: () => screen(context, 'lend', { wallet, network, calls }) }, signer }
}

/** @throws INVALID_INPUT naming the tokens, and what `findPayer` throws */
async function findTokenFee(
  context: SpenderContext,
  {
    wallet,
    network,
    feeToken,
    calls,
    callData,
  }: Omit<SignedRequest, 'feeToken'> & { readonly feeToken: Address },
): Promise<Payer> {
  const { services } = context
  await requireOrderAuthority(context, wallet)
  const token = network.feeTokens.find(({ address }) => isAddressEqual(address, feeToken))
  if (!token) throw unknownFeeToken(network)
  const isEncoded = callData !== undefined
  const own = calls && isEncoded ? withoutApproval(network, { wallet, token, calls }) : calls
  const request = await sponsoredRequest(context, { wallet, network })
  const policy = await requirePolicy(services, { ...request, calls: own, feeToken: token.symbol })
  const { charge } = policy
  if (!charge) throw new LanyardError('INTERNAL', { cause: `policy ${policy.id} without a charge` })
  const budget = policyBudget(services, policy, { ...request, kind: 'token' })
  const payer = await tokenFeePayer(services, {
    ...{ wallet, network, token, budget, builder: request.builder, isEncoded },
    policy: { ...policy, charge },
  })
  return { ...payer, screen: () => screen(context, 'sponsor', { wallet, network, calls: own }) }
}

function unknownFeeToken({ config, feeTokens }: Network): LanyardError {
  const known = feeTokens.map(({ symbol, address }) => `${symbol} ${address}`).join(', ')
  const message = known
    ? `Gas on ${config.name} can be paid in ${known}`
    : `Gas on ${config.name} can be paid in no token`
  return new LanyardError('INVALID_INPUT', { issues: [{ path: 'feeToken', message }] })
}

/** @throws SCREENING_DENIED, SCREENING_HELD, SCREENING_UNAVAILABLE */
export const screen = (
  context: SpenderContext,
  purpose: ScreeningPurpose,
  { wallet, network, calls }: BuildTarget<AnyWallet> & { readonly calls: readonly Call[] | undefined },
): Promise<void> =>
  context.services.operations.screening.ask({
    ...{ purpose, network, account: wallet.address, calls },
    caller: context.apiKey && keyNameOf(context),
  })

/** What policies and budgets know of a request. @throws SPONSORSHIP_SUSPENDED */
async function sponsoredRequest(context: SpenderContext, { wallet, network }: BuildTarget<AnyWallet>) {
  const { database, now } = context.services
  const builder = budgetCallerOf(context, wallet.address)
  const { address } = wallet
  await requireNotSuspended(database, { network: network.chainId, account: address, builder }, now())
  const policies = context.project.policies.list
  return { policies, network, address, caller: keyNameOf(context), builder }
}

/**
 * The budget for an order without debits. Such an order pays for its gas only by its withdrawal. If its calls
 * revert, which the sender can cause, the operator pays, as for any other sponsorship.
 *
 * @param own - the caller's calls, without those that spend the balance
 * @throws PAYMASTER_REFUSED, SPONSORSHIP_SUSPENDED
 */
export async function findOrderBudget(
  context: SpenderContext,
  target: BuildTarget,
  { debits }: Pick<FoundOrder, 'debits'>,
  own: readonly Call[] | undefined,
): Promise<PolicyBudget | undefined> {
  if (debits.length > 0) return undefined
  const { services } = context
  const request = await sponsoredRequest(context, target)
  const policy = await requirePolicy(services, { ...request, calls: own })
  if (policy.paymaster) {
    throw policyRejection(services, policy.id, 'no_paymaster', {
      message: `The policy ${policy.id} pays through an external paymaster, which cannot pay for an order. Let the account pay.`,
    })
  }
  return policyBudget(services, policy, { ...request, kind: 'order' })
}

type SignedRequest = Omit<PayerRequest<OrderSignerCandidate>, 'signers'>

/** Like `findPayer`, for an operation that an EOA signs. */
export async function findPayerForEoa(context: SpenderContext, request: SignedRequest): Promise<Payer> {
  const { wallet, network } = request
  const signers = async (): Promise<readonly [OrderSignerCandidate, ...OrderSignerCandidate[]]> =>
    isContractAccount(wallet) ? findEoaSigners(context.services, network, wallet) : [{ key: wallet.owner }]
  const { payer } = await findPayer(context, { ...request, signers })
  return payer
}

/**
 * Like `findPayer`, for an operation that a session key signs on behalf of the account's owner.
 *
 * @throws ORDER_MISMATCH for an order, which needs an owner's signature
 */
export async function findPayerForSession(
  context: SpenderContext,
  request: SignedRequest & BuildTarget,
): Promise<Payer> {
  const { wallet, network, paymasterData } = request
  if (paymasterData !== 'sponsored' && decodeOrderMarker(paymasterData)) {
    throw new LanyardError('ORDER_MISMATCH', { message: 'A session cannot spend the smart balance.' })
  }
  const signers = async (): Promise<readonly [OrderSignerCandidate, ...OrderSignerCandidate[]]> => {
    const [first, ...others] = await findOrderSigners(context.services.database, network, wallet)
    if (!first) throw new LanyardError('PAYMASTER_REFUSED')
    return [{ key: first }, ...others.map((key) => ({ key }))]
  }
  const { payer } = await findPayer(context, { ...request, signers })
  return payer
}
