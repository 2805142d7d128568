import {
  type AccountDeployment,
  type Call,
  decodeCalls,
  fromWireUserOperation,
  getSafeOperationHash,
  getUserOperationHash,
  requiredPrefund,
  safeOperationTypedData,
  type UserOperation,
} from '@lanyard/accounts'
import { type Address, type Hash, isAddressEqual, isHex } from 'viem'
import { accountOf, deploysAccount, type ExpectedOwner } from './account-of.ts'
import type { Build } from './build.ts'
import type { ExpectedOrderOperation } from './smart-balance/order-expectation.ts'
import { rejectOrder, type VerifiedOrder, verifyOrder } from './smart-balance/verify-order.ts'
import { BuildVerificationError } from './verification-error.ts'
import { type ExpectedTokenFee, type VerifiedTokenFee, verifyTokenFee } from './verify-token-fee.ts'

/** The operation that the service built, from any endpoint. */
export interface ProposedOperation extends Pick<Build, 'userOp' | 'validAfter' | 'validUntil'> {
  /** The field of the response to sign, and its 32 bytes. */
  readonly signed: { readonly field: 'messageToSign' | 'challenge'; readonly hash: string }
}

/** The requested operation. */
export interface ExpectedOperation {
  readonly owner: ExpectedOwner
  readonly chainId: number
  readonly calls: readonly Call[]
  /** As in the request. Absent: only the account may pay. */
  readonly paymasterData: string | undefined
  /** The token in which the account is to pay the gas. Absent: it must not. */
  readonly tokenFee?: ExpectedTokenFee | undefined
  /** The order, if the operation spends the smart balance. Absent: it must not. */
  readonly order: ExpectedOrderOperation | undefined
  readonly deployment: AccountDeployment
  /** wei */
  readonly maximumCost: bigint | undefined
}

/** The verified content of an operation. */
export interface VerifiedOperation {
  readonly operation: UserOperation
  /** Identifies the operation. Send it to `smartAccount.submit` with the signature. */
  readonly userOpHash: Hash
  /** The operation's account. */
  readonly account: Address
  /** All calls of the operation. */
  readonly calls: readonly Call[]
  /** The recomputed SafeOp hash: the 32 bytes to sign. */
  readonly hash: Hash
  /** The SafeOp itself, as EIP-712 typed data with this hash. */
  readonly typedData: ReturnType<typeof safeOperationTypedData>
  /** The maximum cost to the payer, in wei. */
  readonly cost: bigint
  /** What it can cost in the requested token. */
  readonly tokenFee?: VerifiedTokenFee
  /** The smart balance that the operation spends. */
  readonly order?: VerifiedOrder
}

/**
 * Recomputes everything that a signature over the proposed 32 bytes would allow.
 *
 * @throws BuildVerificationError naming the first field that does not match the request
 */
export function verifyOperation(proposed: ProposedOperation, expected: ExpectedOperation): VerifiedOperation {
  const { chainId, deployment, maximumCost } = expected
  const operation = readOperation(proposed, expected)
  const account = accountOf(expected.owner, deployment)

  if (!isAddressEqual(operation.sender, account)) {
    throw new BuildVerificationError('userOp.sender', `expected the owner's account ${account}`)
  }
  if (operation.initCode !== '0x' && !deploysAccount(operation.initCode, account, deployment)) {
    throw new BuildVerificationError('userOp.initCode', 'it deploys something other than the account')
  }
  const { calls, tokenFee } = verifyCalls(operation, expected)
  const order = expected.order && verifyOrder(operation, expected.order, chainId, deployment)
  const context = {
    chainId,
    module: deployment.module,
    entryPoint: deployment.entryPoint,
    validAfter: readTime(proposed, 'validAfter'),
    validUntil: readTime(proposed, 'validUntil'),
  }
  const hash = getSafeOperationHash(operation, context)
  if (hash !== proposed.signed.hash.toLowerCase()) {
    throw new BuildVerificationError(proposed.signed.field, `the operation's hash is ${hash}`)
  }
  const cost = requiredPrefund(operation)
  if (maximumCost !== undefined && cost > maximumCost) {
    throw new BuildVerificationError(
      'userOp.maxFeePerGas',
      `it may cost ${cost} wei, more than ${maximumCost}`,
    )
  }
  const userOpHash = getUserOperationHash(operation, { chainId, entryPoint: deployment.entryPoint })
  const typedData = safeOperationTypedData(operation, context)
  return {
    operation,
    userOpHash,
    account,
    calls,
    hash,
    typedData,
    cost,
    ...(tokenFee && { tokenFee }),
    ...(order && { order }),
  }
}

function readOperation(
  { userOp }: ProposedOperation,
  { paymasterData, tokenFee, order }: ExpectedOperation,
): UserOperation {
  const own = !order && paymasterData !== undefined && isHex(paymasterData) ? paymasterData : '0x'
  const { paymasterAndData: filled, ...nine } = userOp
  const isChosenByService = order !== undefined || tokenFee !== undefined || paymasterData === 'sponsored'
  if (!isChosenByService && filled !== undefined && filled.toLowerCase() !== own.toLowerCase()) {
    throw new BuildVerificationError('userOp.paymasterAndData', 'it is not the requested paymaster')
  }
  const tenth = filled === undefined ? {} : { paymasterAndData: filled }
  const read = fromWireUserOperation({ ...nine, ...tenth }, { paymasterAndData: own })
  if (!read.ok) throw new BuildVerificationError(`userOp.${read.field}`, read.message)
  if (paymasterData === 'sponsored' && !order) rejectOrder(read.operation)
  return read.operation
}

/** Unix seconds, uint48. Absent means no limit. */
function readTime(proposed: ProposedOperation, field: 'validAfter' | 'validUntil'): number {
  const value = proposed[field] ?? '0'
  if (/^\d{1,15}$/.test(value) && Number(value) < 2 ** 48) return Number(value)
  throw new BuildVerificationError(field, 'not the decimal string of a uint48')
}

function verifyCalls(
  operation: UserOperation,
  { calls: request, tokenFee, deployment }: Pick<ExpectedOperation, 'calls' | 'tokenFee' | 'deployment'>,
): Pick<VerifiedOperation, 'calls'> & { readonly tokenFee?: VerifiedTokenFee } {
  const decoded = decodeCalls(operation.callData, deployment)
  if (!decoded.ok) throw new BuildVerificationError('userOp.callData', decoded.message)
  const charged = tokenFee && verifyTokenFee(operation, decoded.calls, tokenFee)
  const own = decoded.calls.slice(charged?.approvals.length ?? 0)
  if (own.length !== request.length) {
    const counts = `${own.length} calls instead of ${request.length}`
    throw new BuildVerificationError('userOp.callData', counts)
  }
  request.forEach(({ to, value, data }, index) => {
    const call = own[index]
    const same =
      call?.value === value && call.data.toLowerCase() === data.toLowerCase() && isAddressEqual(call.to, to)
    if (!same) throw new BuildVerificationError('userOp.callData', `call ${index} is not the requested one`)
  })
  return { calls: decoded.calls, ...(charged && { tokenFee: charged }) }
}
