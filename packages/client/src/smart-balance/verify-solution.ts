import type { Call } from '@lanyard/accounts'
import {
  checkOrderBounds,
  decodeOrderMarker,
  type ExpectedOrder,
  type OrderPlan,
  toDebits,
  verifyOrderCalls,
} from '@lanyard/smart-balance'
import { type Address, type Hex, hexToBigInt, isAddressEqual, isHex, size, slice } from 'viem'
import { toCall } from '../to-call.ts'
import { toChainId } from '../to-chain-id.ts'
import { BuildVerificationError } from '../verification-error.ts'
import type { Quote, Solution, SpendRequest } from './quote.ts'
import { readSolution, type SolutionAmounts } from './read-solution.ts'
import { verifyPrice } from './verify-price.ts'

export interface VerifySolutionParameters {
  readonly solution: Solution
  /** The request. */
  readonly request: SpendRequest
  /** The SmartBalance of the output network, as the caller knows it (one address on all networks). */
  readonly smartBalance: Address
  /** The smart account that spends. Its own deposit can only be withdrawn to this account. */
  readonly account: Address
  /** The result of `getQuote`. The price must match it. */
  readonly quote?: Quote | undefined
  /**
   * The result of `recomputeQuote`. The price and the debits must match it, and in a build also the failFees.
   */
  readonly plan?: OrderPlan | undefined
  /** The settlement token of the output network, if the caller knows it. */
  readonly token?: Address | undefined
  /** Unix seconds. Default: this machine's clock. */
  readonly now?: number | undefined
}

/** A verified solution, with the values that a build for it must contain. */
export interface VerifiedSolution extends SolutionAmounts {
  readonly orderId: Hex
  readonly chainId: number
  readonly smartBalance: Address
  /** The operation's nonce if there is a claim, since the claim contains it. */
  readonly nonce: bigint | undefined
  /** The withdrawal and the claim, if any. Put them before the caller's own calls. */
  readonly calls: readonly Call[]
  /** The `paymasterData` to pass to the build. */
  readonly paymasterData: Hex
}

/**
 * Recomputes what a solution reserves. It must deliver the requested amount at the agreed price, its debits
 * must add up, and its calls must be exactly a withdrawal to the account itself and a claim.
 *
 * @throws BuildVerificationError naming the first field that does not match the request
 */
export function verifySolution(parameters: VerifySolutionParameters): VerifiedSolution {
  return verifySolutionAt('solution', parameters)
}

/** Like {@link verifySolution}, for a solution in another field of a response. */
export function verifySolutionAt(at: string, parameters: VerifySolutionParameters): VerifiedSolution {
  const { solution, request, smartBalance, plan, token } = parameters
  const chainId = toChainId(request.outputNetwork)
  const amounts = readSolution(solution, chainId, at)
  verifyPrice(amounts, parameters, at)
  verifyBounds(amounts, at)
  if (token !== undefined && !isAddressEqual(readAddress(solution.tokenToClaim.address, at), token))
    throw new BuildVerificationError(`${at}.tokenToClaim.address`, `expected ${token}`)
  const { orderId, paymasterData } = readMarker(solution, smartBalance, at)
  const expected: SolutionAmounts = plan ? { ...amounts, debits: plan.debits } : amounts
  return {
    ...expected,
    ...verifyCalls(expected, parameters, at),
    orderId,
    paymasterData,
    chainId,
    smartBalance,
  }
}

function verifyBounds({ claimAmount, debits }: SolutionAmounts, at: string): void {
  const bounds = checkOrderBounds({
    claimAmount,
    debits: toDebits(debits.map((debit) => ({ ...debit, failFee: 0n }))),
  })
  if (!bounds.ok) throw new BuildVerificationError(`${at}.debits`, bounds.message)
}

function readMarker({ signatures, orderId }: Solution, smartBalance: Address, at: string) {
  const paymasterData = signatures.paymaster
  const marker = decodeOrderMarker(paymasterData)
  if (!marker || !isHex(paymasterData) || !isAddressEqual(marker.smartBalance, smartBalance))
    throw new BuildVerificationError(`${at}.signatures.paymaster`, `no order of ${smartBalance}`)
  if (marker.orderId !== orderId.toLowerCase())
    throw new BuildVerificationError(`${at}.signatures.paymaster`, 'another order than orderId')
  return { orderId: marker.orderId, paymasterData }
}

function verifyCalls(
  expected: ExpectedOrder,
  { solution, account, smartBalance, now = Math.floor(Date.now() / 1000) }: VerifySolutionParameters,
  at: string,
): Pick<VerifiedSolution, 'calls' | 'nonce'> {
  const { withdrawal, claim } = solution.transactions
  const calls = [withdrawal, claim]
    .filter(({ encodedData }) => encodedData !== '0x')
    .map((call) => readCall(call, at))
  const nonce = claim.encodedData === '0x' ? undefined : readClaimNonce(claim.encodedData)
  const verified = verifyOrderCalls(calls, {
    account,
    smartBalance,
    expected,
    nonce: nonce ?? 0n,
    neededUntil: now,
  })
  if (!verified.ok) throw new BuildVerificationError(`${at}.transactions.${verified.field}`, verified.message)
  if (verified.calls.length > 0)
    throw new BuildVerificationError(`${at}.transactions`, 'it has a call that the order does not need')
  const cosignature = verified.withdrawal?.signature ?? '0x'
  if (solution.signatures.withdrawal.toLowerCase() !== cosignature.toLowerCase())
    throw new BuildVerificationError(
      `${at}.signatures.withdrawal`,
      'it differs from the one in the withdrawal',
    )
  return { calls, nonce }
}

function readCall(call: Solution['transactions']['claim'], at: string): Call {
  try {
    return toCall({ ...call, value: '0' })
  } catch {
    throw new BuildVerificationError(`${at}.transactions`, 'not a call')
  }
}

function readAddress(address: string, at: string): Address {
  if (isHex(address) && address.length === 42) return address
  throw new BuildVerificationError(`${at}.tokenToClaim.address`, 'not an address')
}

/**
 * Reads the nonce in the call data of `claim(uint256)`. The caller compares it with the complete encoding.
 *
 * @returns undefined if the data is not such a call
 */
function readClaimNonce(data: string): bigint | undefined {
  if (!isHex(data) || size(data) !== 36) return undefined
  const argument: Hex = slice(data, 4)
  return hexToBigInt(argument)
}
