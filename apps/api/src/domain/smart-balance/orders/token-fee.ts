import {
  type Call,
  requiredPrefund,
  type SignedUserOperation,
  type UserOperation,
  unpackPaymasterAndData,
} from '@lanyard/accounts'
import { isTokenPaymaster, simulateCharge } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { type FeeToken, multicall3, type Network } from '@lanyard/networks'
import { predictTokenPaymasterAddress } from '@lanyard/onchain'
import {
  decodeTokenFee,
  encodeTokenFee,
  encodeTokenFeeApproval,
  getTokenFeeTypedData,
  maximumTokenFee,
  stubOperatorSignature,
  type UnsignedTokenFee,
} from '@lanyard/smart-balance'
import {
  type Address,
  concat,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  type Hex,
  isAddressEqual,
  multicall3Abi,
  pad,
  parseUnits,
  toFunctionSelector,
} from 'viem'
import type { AnyWallet } from '../../accounts/accounts/wallet.ts'
import type { AllowingPolicy, TokenCharge } from '../../gas-policies/gas-policy.ts'
import type { PolicyBudget } from '../../gas-policies/policy-budget.ts'
import { readDeposit } from '../../gas-policies/read-deposit.ts'
import { requireFairFees } from '../../gas-policies/require-fair-fees.ts'
import { policyRejection } from '../../gas-policies/require-policy.ts'
import { requireUnpaidBudget } from '../../gas-policies/unpaid-fees.ts'
import type { BuildTarget, Payer } from '../../operations/build-request.ts'
import { operatorOf } from '../model/operator.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { readChainValidity, shareOfBase } from './paymaster-terms.ts'

interface TokenFeeRequest extends BuildTarget<AnyWallet> {
  readonly token: FeeToken
  readonly policy: AllowingPolicy & { readonly charge: TokenCharge }
  readonly budget: PolicyBudget
  /** As `budgetCallerOf` returns it. */
  readonly builder: string
  /** The caller has encoded the calls, with the approval in front. */
  readonly isEncoded: boolean
}

/**
 * As much as twelve bytes hold, none of them zero: the approval of an estimate. The final amount costs no more as call
 * data. Some tokens keep amounts in twelve bytes.
 */
const draftApproval = BigInt(`0x${'01'.repeat(12)}`)

/** Three bytes, none of them zero. Units of gas. */
const draftGas = 0x01_01_01n

/**
 * Units of gas. A client estimates its calls with an approval, and leaves that out if one remains. The calls then need less, and
 * `postOp` more, because the token's storage is cold. The account pays for what is not used.
 */
export const leftOutApproval = { call: 60_000n, postOp: 20_000n } as const

/** Basis of the markup, hundredths of a percent. */
const whole = 10_000n

/**
 * TokenPaymaster pays for the gas and takes a token after the calls, which the operation's first call approves. The
 * maximum cost is taken from the policy's budgets until the account has paid.
 *
 * @throws PAYMASTER_REFUSED with the reason, NO_SMART_BALANCE, NETWORK_UNAVAILABLE, NETWORK_FAILED, NETWORK_UNCONFIRMED
 */
export async function tokenFeePayer(
  services: SmartBalanceServices,
  { wallet, network, token, policy, budget, builder, isEncoded }: TokenFeeRequest,
): Promise<Payer> {
  const { chainId } = network
  const paymaster = tokenPaymasterOf(network, wallet.deployment.entryPoint)
  const [chain, deposit, fees, price, resetFirst] = await Promise.all([
    readChainValidity(network),
    readDeposit(network, wallet.deployment.entryPoint, paymaster),
    network.fees(),
    token.rate(),
    needsReset(network, token.address),
  ])
  requirePlausible(services, policy, token, price.rate)
  const account = wallet.address.toLowerCase()
  const unsent = { policy: policy.id, account, builder, taken: false }
  const terms = {
    paymaster,
    token: token.address,
    rate: withMarkup(price.rate, policy.charge),
    extraGas: Number(budget.relayerGas),
    validUntil: chain.latest,
  }
  const encode = (verificationGas: bigint, postOpGas: bigint, operatorSignature = stubOperatorSignature) =>
    encodeTokenFee({ ...withGas(terms, verificationGas, postOpGas), operatorSignature })
  const approve = (maximum: bigint) =>
    encodeTokenFeeApproval({ token: token.address, paymaster, maximum, resetFirst })
  return {
    filledByService: true,
    maySponsorReverts: false,
    mustBeSteady: true,
    anyBundler: policy.anyBundler,
    spareGas: leftOutApproval,
    offersMinTip: budget.offersMinTip,
    validUntil: chain.latest,
    preVerificationShortfall: shareOfBase(network, budget),
    draft: encode(draftGas, draftGas),
    withGas({ paymasterVerificationGasLimit, paymasterPostOpGasLimit = 0n }) {
      if (paymasterVerificationGasLimit === undefined)
        throw new LanyardError('BUNDLER_FAILED', {
          cause: 'no paymasterVerificationGasLimit in the estimate',
        })
      return encode(paymasterVerificationGasLimit, paymasterPostOpGasLimit)
    },
    ...(!isEncoded && {
      prepends: {
        draft: approve(draftApproval),
        final: (operation) => approve(maximumTokenFee(operation, terms)),
      },
    }),
    requirePayable: (operation, stateOverride) =>
      requirePayable(network, token, operation, { stateOverride, refuse: refuser(services, policy) }),
    async consent(transaction, operation) {
      requireFairFees(network, fees, operation, budget)
      await budget.require(transaction, operation)
      const cost = requiredPrefund(operation)
      await requireUnpaidBudget(services, transaction, network.config, { ...unsent, cost })
      if (deposit < cost) throw depositTooLow(services, network, paymaster, deposit)
      const gas = unpackPaymasterAndData(operation.paymasterAndData)
      if (!gas) throw new LanyardError('INTERNAL', { cause: 'a draft without its paymaster' })
      const fee = withGas(terms, gas.paymasterVerificationGasLimit, gas.paymasterPostOpGasLimit)
      const operator = operatorOf(services, network)
      return {
        validUntil: chain.latest,
        paymasterAndData: async () => {
          await services.checkpoint('order:agreed')
          const operatorSignature = await operator.signTypedData(
            getTokenFeeTypedData({ fee, operation, chainId }),
          )
          await services.checkpoint('order:signed')
          return encodeTokenFee({ ...fee, operatorSignature })
        },
      }
    },
    confirm: async () => {},
    async record(transaction, built) {
      await budget.promise(transaction, built, { validUntil: chain.latest, builtAtBlock: chain.block })
      const { userOpHash } = built
      await requireUnpaidBudget(services, transaction, network.config, {
        ...unsent,
        ...{ user_op_hash: userOpHash, cost: 0n },
      })
    },
  }
}

/**
 * TokenPaymaster on a network. It need not be there: its deposit is then 0.
 *
 * @throws NO_SMART_BALANCE
 */
function tokenPaymasterOf({ chainId, config }: Network, entryPoint: Address): Address {
  const { smartBalance } = config
  if (smartBalance) return predictTokenPaymasterAddress({ entryPoint, smartBalance })
  throw new LanyardError('NO_SMART_BALANCE', {
    message: `${config.name} has no paymaster that takes tokens.`,
    details: { network: chainId },
  })
}

/** Base units of a token for 1 ether, rounded up. */
export const withMarkup = (rate: bigint, { markup }: Pick<TokenCharge, 'markup'>): bigint =>
  (rate * (whole + BigInt(Math.round(markup * 100))) + whole - 1n) / whole

const withGas = (
  terms: Omit<UnsignedTokenFee, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>,
  paymasterVerificationGasLimit: bigint,
  paymasterPostOpGasLimit: bigint,
): UnsignedTokenFee => ({ ...terms, paymasterVerificationGasLimit, paymasterPostOpGasLimit })

type Refuse = (message: string, details?: Record<string, string>) => LanyardError

const refuser =
  (services: Pick<SmartBalanceServices, 'metrics'>, { id }: Pick<AllowingPolicy, 'id'>): Refuse =>
  (message, details = {}) =>
    policyRejection(services, id, 'token_fee', { message, details })

/** Whether a price is between the bounds of a policy, if it has any. */
export function isPlausible({ price }: TokenCharge, decimals: number, rate: bigint): boolean {
  if (!price) return true
  return rate >= parseUnits(price.min, decimals) && rate <= parseUnits(price.max, decimals)
}

function requirePlausible(
  services: SmartBalanceServices,
  policy: TokenFeeRequest['policy'],
  { symbol, decimals }: FeeToken,
  rate: bigint,
): void {
  if (isPlausible(policy.charge, decimals, rate)) return
  const seen = formatUnits(rate, decimals)
  services.log.error({ policy: policy.id, price: seen }, 'a price is outside the bounds of its gas policy')
  throw refuser(
    services,
    policy,
  )(`The price of ${symbol} is not plausible at the moment. Try again later, or let the account pay.`)
}

function depositTooLow(
  { log }: Pick<SmartBalanceServices, 'log'>,
  { chainId, config }: Network,
  paymaster: Address,
  deposit: bigint,
): LanyardError {
  log.error(
    { network: chainId, tokenPaymaster: paymaster, deposit: String(deposit) },
    'the gas deposit of TokenPaymaster is too low: top it up with `lanyard token-fees deposit`',
  )
  return new LanyardError('PAYMASTER_REFUSED', {
    message: `The service cannot take tokens for gas on ${config.name} at the moment. Try again later, or let the account pay.`,
  })
}

/**
 * Simulates an operation as if it cost all that its limits allow, and requires that its token can then be taken.
 *
 * @throws PAYMASTER_REFUSED
 */
async function requirePayable(
  network: Network,
  { symbol, address, decimals }: Pick<FeeToken, 'symbol' | 'address' | 'decimals'>,
  operation: SignedUserOperation,
  {
    stateOverride,
    refuse,
  }: { readonly stateOverride?: Parameters<typeof simulateCharge>[2]; readonly refuse: Refuse },
): Promise<void> {
  const simulation = await simulateCharge(network, operation, stateOverride)
  const { tooLow } = simulation
  if (simulation.execution.success && simulation.postOpReverts === undefined && !tooLow) return
  const decoded = decodeTokenFee(operation.paymasterAndData)
  const maximum = decoded.ok ? maximumTokenFee(operation, decoded.fee) : 0n
  const details = { token: address, required: String(maximum) }
  if (!simulation.execution.success)
    throw refuse('The calls would revert, so the account could not pay for their gas.', details)
  if (simulation.postOpReverts === undefined && tooLow) {
    const { limit, given, needed } = tooLow
    throw refuse(
      `With a ${limit} of ${given} the account could not pay for the gas: ${needed} is needed. Build it again, or estimate the same calls again.`,
      { ...details, limit, needed: String(needed) },
    )
  }
  throw refuse(
    `The account cannot pay for the gas: up to ${formatUnits(maximum, decimals)} ${symbol} must be left after its calls on ${network.config.name}. Send it ${symbol}, or pay another way.`,
    details,
  )
}

/** The token fee of an operation; undefined if it pays another way. */
function readTokenFee({ config }: Pick<Network, 'config'>, paymasterAndData: Hex) {
  const paymaster = unpackPaymasterAndData(paymasterAndData)?.paymaster
  if (!paymaster || !isTokenPaymaster(config, paymaster)) return undefined
  const decoded = decodeTokenFee(paymasterAndData)
  return decoded.ok ? decoded.fee : undefined
}

/** What an operation can cost in a token, for answers; nothing if it pays another way. */
export function toTokenFee(network: Pick<Network, 'config' | 'feeTokens'>, operation: UserOperation) {
  const fee = readTokenFee(network, operation.paymasterAndData)
  const token = fee && network.feeTokens.find(({ address }) => isAddressEqual(address, fee.token))
  if (!fee || !token) return {}
  const maximum = String(maximumTokenFee(operation, fee))
  const { symbol, decimals } = token
  return { tokenFee: { token: fee.token, symbol, decimals, maximum, rate: String(fee.rate) } }
}

/** Unix seconds, the last one in which the operation may be included; 0: it pays another way. */
export const tokenFeeValidUntil = (network: Pick<Network, 'config'>, paymasterAndData: Hex): number =>
  readTokenFee(network, paymasterAndData)?.validUntil ?? 0

/**
 * Requires that an operation that pays in a token would still pay, before its signature is written.
 *
 * @throws PAYMASTER_REFUSED
 */
export async function requireStillPayable(network: Network, operation: SignedUserOperation): Promise<void> {
  const fee = readTokenFee(network, operation.paymasterAndData)
  if (!fee) return
  const token = network.feeTokens.find(({ address }) => isAddressEqual(address, fee.token))
  const refuse: Refuse = (message, details = {}) =>
    new LanyardError('PAYMASTER_REFUSED', { message, details: { refusal: 'token_fee', ...details } })
  if (!token) throw refuse('The service no longer takes this token for gas. Build it again.')
  await requirePayable(network, token, operation, { refuse })
}

/** By network and token: a token does not change its mind. */
const resets = new Map<string, boolean>()

/**
 * Whether a token refuses to change an allowance that is not zero, as USDT on Ethereum does: Multicall3 approves twice for
 * itself in one eth_call.
 */
export async function needsReset(network: Network, token: Address): Promise<boolean> {
  const key = `${network.chainId} ${token.toLowerCase()}`
  const known = resets.get(key)
  if (known !== undefined) return known
  const approve = (amount: bigint) => ({
    target: token,
    allowFailure: true,
    callData: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [anyone, amount] }),
  })
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [[approve(1n), approve(2n)]],
  })
  const { data: answer } = await network.call((client) => client.call({ to: multicall3, data }))
  if (!answer) return false // the network has no Multicall3
  const [first, second] = decodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    data: answer,
  })
  if (first?.success !== true) return false // paused, perhaps
  resets.set(key, second?.success !== true)
  return second?.success !== true
}

/** An address that tokens accept as a spender. */
const anyone: Address = '0x000000000000000000000000000000000000dEaD'

/** The calls without the approval that pays for their gas, as policies compare them. */
export function withoutApproval(
  network: Network,
  { wallet, token, calls }: Pick<TokenFeeRequest, 'wallet' | 'token'> & { readonly calls: readonly Call[] },
): readonly Call[] {
  const paymaster = tokenPaymasterOf(network, wallet.deployment.entryPoint)
  const isApproval = ({ to, data }: Call) =>
    isAddressEqual(to, token.address) &&
    data.toLowerCase().startsWith(concat([approveSelector, pad(paymaster)]).toLowerCase())
  const first = calls.findIndex((call) => !isApproval(call))
  return first === -1 ? [] : calls.slice(first)
}

const approveSelector = toFunctionSelector('approve(address,uint256)')
