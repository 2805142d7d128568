import { type AccountDeployment, computeAccountAddress, defaultDeployment } from '@lanyard/accounts'
import type { Address } from 'viem'
import type { LanyardClient } from '../client.ts'
import type {
  SmartBalanceComputeSolutionData,
  Submission,
  TransactionDetail,
} from '../generated/types.gen.ts'
import { addressOf, type BuildSigner, signOperation } from '../sign-build.ts'
import { toChainId } from '../to-chain-id.ts'
import type { SpendRequest } from './quote.ts'
import { toTransactionDetail } from './to-transaction-detail.ts'
import { type VerifiedSolution, verifySolution } from './verify-solution.ts'

export interface SpendParameters {
  /** The EOA that owns the account. */
  readonly signer: BuildSigner
  readonly request: SpendRequest & {
    /** The calls to make with the amount on the output network. Absent: the amount arrives in the account. */
    readonly transactionDetails?: readonly TransactionDetail[]
  }
  /**
   * The SmartBalance contract, one address on all networks. Pin it: it is the only value that cannot be
   * recomputed.
   */
  readonly smartBalance: Address
  /** Default: an account without modules. */
  readonly deployment?: AccountDeployment
}

/** The outcome and the cost of a spend. */
export interface Spending
  extends Submission,
    Pick<VerifiedSolution, 'orderId' | 'amount' | 'fee' | 'total'> {}

/**
 * Spends the combined balance on one network: gets a quote, reserves at that price, verifies the solution,
 * builds, verifies the build, signs, submits, and waits for inclusion. `limit` is the maximum cost.
 *
 * @example
 * const { txnHash, success, fee } = await spend(lanyard, {
 *   signer: privateKeyToAccount(key),
 *   smartBalance,
 *   request: { outputNetwork: 31337, amount: '5000000', limit: 5_100_000, transactionDetails },
 * })
 * @throws LanyardApiError, BuildVerificationError
 */
export async function spend(
  client: LanyardClient,
  { signer, request, smartBalance, deployment = defaultDeployment }: SpendParameters,
): Promise<Spending> {
  const owner = addressOf(signer)
  const account = computeAccountAddress({ kind: 'eoa', address: owner }, deployment)
  const { transactionDetails = [], ...requested } = request
  const body = toBody(requested, account)

  const { quote } = await client.smartBalance.getQuote(body)
  const answered = await client.smartBalance.computeSolution(body)
  const solution = verifySolution({ solution: answered, request: requested, smartBalance, account, quote })

  const buildRequest = {
    network: String(solution.chainId),
    walletAddress: account,
    transactionDetails: [...solution.calls.map(toTransactionDetail), ...transactionDetails],
    paymasterData: solution.paymasterData,
  }
  const build = await client.smartAccount.build(buildRequest)
  const signed = await signOperation({
    ...{ build, request: buildRequest, signer, deployment },
    order: { solution },
  })
  const submission = await client.smartAccount.submit({ ...signed, walletAddress: account })
  const { orderId, amount, fee, total } = solution
  return { ...submission, orderId, amount, fee, total }
}

function toBody(
  { outputNetwork, amount, type, limit }: SpendRequest,
  walletAddress: Address,
): SmartBalanceComputeSolutionData['body'] {
  return {
    walletAddress,
    outputNetwork: toChainId(outputNetwork),
    amount: amount.toString(),
    ...(type && { type }),
    // The document allows only an integer, but the service also accepts a decimal string.
    ...(limit !== undefined && { limit: limit as number }),
  }
}
