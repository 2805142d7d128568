import {
  type Call,
  delegatedDeployment,
  delegationInitCode,
  fromWireUserOperation,
  operationTypedData,
  requiredPrefund,
  toDelegatedAccount,
  type UserOperation,
} from '@lanyard/accounts'
import { type Address, getAddress, type Hash, isAddressEqual, isHex } from 'viem'
import type { Build, BuildRequest } from '../build.ts'
import { rejectOrder } from '../smart-balance/verify-order.ts'
import { toCall } from '../to-call.ts'
import { toChainId } from '../to-chain-id.ts'
import { BuildVerificationError } from '../verification-error.ts'
import { type VerifiedTokenFee, verifyTokenFee } from '../verify-token-fee.ts'

export interface VerifyDelegatedBuildParameters {
  readonly build: Build
  readonly request: BuildRequest
  /** The EOA that is the account. */
  readonly eoa: Address
  /** Maximum cost of the operation in wei. Absent: any fee that the service chooses. */
  readonly maximumCost?: bigint | undefined
  /** Maximum cost in the requested `feeToken`, in its base units. Absent: any. */
  readonly maximumTokenFee?: bigint | undefined
}

/** The verified content of a build of an EOA that is the account itself (EIP-7702). */
export interface VerifiedDelegatedBuild {
  readonly operation: UserOperation
  readonly calls: readonly Call[]
  /** The operation's identifier, and the 32 bytes to sign. */
  readonly userOpHash: Hash
  /** The same as EIP-712 typed data. */
  readonly typedData: ReturnType<typeof operationTypedData>
  /** The authorisation to sign, too. Absent: the account needs none. */
  readonly authorization?: { readonly chainId: number; readonly address: Address; readonly nonce: number }
  /** The maximum cost to the payer, in wei. */
  readonly cost: bigint
  /** What it can cost in the requested token. */
  readonly tokenFee?: VerifiedTokenFee
}

/**
 * Recomputes everything that the signatures over a build would allow from the request and the address alone: the calls,
 * the payer, the typed data with its hash, and the contract to which the authorisation delegates.
 *
 * Only the authorisation's nonce is the service's word: a wrong one makes the authorisation useless.
 *
 * @throws BuildVerificationError naming the first field that does not match the request
 */
export function verifyDelegatedBuild({
  build,
  request,
  eoa,
  maximumCost,
  maximumTokenFee,
}: VerifyDelegatedBuildParameters): VerifiedDelegatedBuild {
  const account = toDelegatedAccount(eoa)
  const chainId = toChainId(request.network)
  const operation: UserOperation = { ...readOperation(build, request), entryPoint: account.entryPoint }
  if (!isAddressEqual(operation.sender, eoa))
    throw new BuildVerificationError('userOp.sender', `expected the account ${eoa}`)
  if (operation.initCode !== '0x' && operation.initCode.toLowerCase() !== delegationInitCode)
    throw new BuildVerificationError('userOp.initCode', 'it does more than delegate the account')
  const { feeToken } = request
  const decoded = account.decodeCalls(operation.callData)
  const charged =
    feeToken === undefined
      ? undefined
      : verifyTokenFee(operation, decoded.ok ? decoded.calls : [], {
          feeToken: getAddress(feeToken),
          maximumTokenFee,
        })
  const calls = [...(charged?.approvals ?? []), ...(request.transactionDetails ?? []).map(toCall)]
  if (operation.callData.toLowerCase() !== account.encodeCalls(calls).toLowerCase())
    throw new BuildVerificationError('userOp.callData', 'its calls are not the requested ones')

  const userOpHash = account.hashOperation(operation, { chainId })
  if (userOpHash !== build.messageToSign.toLowerCase())
    throw new BuildVerificationError('messageToSign', `the operation's hash is ${userOpHash}`)
  const cost = requiredPrefund(operation)
  if (maximumCost !== undefined && cost > maximumCost)
    throw new BuildVerificationError(
      'userOp.maxFeePerGas',
      `it may cost ${cost} wei, more than ${maximumCost}`,
    )
  const authorization = readAuthorization(build, operation, chainId)
  const typedData = operationTypedData(operation, { chainId })
  return {
    operation,
    calls,
    userOpHash,
    typedData,
    cost,
    ...(authorization && { authorization }),
    ...(charged && { tokenFee: charged }),
  }
}

function readOperation({ userOp }: Build, { paymasterData, feeToken }: BuildRequest): UserOperation {
  const { paymasterAndData: filled, ...nine } = userOp
  const own = paymasterData !== undefined && isHex(paymasterData) ? paymasterData : '0x'
  const isSponsored = paymasterData === 'sponsored'
  const isChosenByService = isSponsored || feeToken !== undefined
  if (!isChosenByService && filled !== undefined && filled.toLowerCase() !== own.toLowerCase())
    throw new BuildVerificationError('userOp.paymasterAndData', 'it is not the requested paymaster')
  const tenth = filled === undefined ? {} : { paymasterAndData: filled }
  const read = fromWireUserOperation({ ...nine, ...tenth }, { paymasterAndData: own })
  if (!read.ok) throw new BuildVerificationError(`userOp.${read.field}`, read.message)
  if (isSponsored) rejectOrder(read.operation)
  return read.operation
}

function readAuthorization(
  { authorization }: Build,
  { initCode }: UserOperation,
  chainId: number,
): VerifiedDelegatedBuild['authorization'] {
  if (!authorization) {
    if (initCode === '0x') return undefined
    throw new BuildVerificationError('authorization', 'the operation delegates the account, and needs one')
  }
  if (initCode === '0x')
    throw new BuildVerificationError('authorization', 'the operation does not delegate the account')
  if (authorization.chainId !== chainId)
    throw new BuildVerificationError('authorization.chainId', `expected the network ${chainId}`)
  if (authorization.address.toLowerCase() !== delegatedDeployment.delegate.toLowerCase())
    throw new BuildVerificationError('authorization.address', `expected ${delegatedDeployment.delegate}`)
  if (!Number.isSafeInteger(authorization.nonce) || authorization.nonce < 0)
    throw new BuildVerificationError('authorization.nonce', 'it is not a nonce')
  return { chainId, address: delegatedDeployment.delegate, nonce: authorization.nonce }
}
