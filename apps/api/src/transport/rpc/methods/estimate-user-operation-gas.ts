import type { SignedUserOperation } from '@lanyard/accounts'
import { type GasEstimate, isTokenPaymaster, paymasterOf } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { type Hex, numberToHex, size, slice } from 'viem'
import type { AnyWallet } from '../../../domain/accounts/accounts/wallet.ts'
import { readOwners } from '../../../domain/accounts/owners/read-owners.ts'
import { describeRevert } from '../../../domain/operations/dependencies.ts'
import { firstOwnerSigner, onlySigner, signerOfForm } from '../../../domain/operations/signers/find-signer.ts'
import type { OperationSigner } from '../../../domain/operations/signers/signer.ts'
import { leftOutApproval } from '../../../domain/smart-balance/orders/token-fee.ts'
import type { Services } from '../../../pipeline/services.ts'
import { findOperationWallet } from '../operation-wallet.ts'
import { type RpcCall, requireEntryPoint } from '../rpc-call.ts'
import { aboutOperation, RpcError, rpcCodes } from '../rpc-error.ts'
import { parseOperation, requirePaymaster, toSigned } from '../user-operation.ts'

/**
 * `eth_estimateUserOperationGas`: the limits that a build of the service would have. The client's stub only
 * shows who is going to sign: stubs of other SDKs contain zero bytes, which cost less call data gas than a
 * real signature.
 */
export async function estimateUserOperationGas({ context, network, params }: RpcCall) {
  const [given, named, stateOverride] = params
  const entryPoint = requireEntryPoint(network, named)
  if (stateOverride !== undefined && stateOverride !== null)
    throw new RpcError(rpcCodes.invalidParams, 'State overrides are not supported.')
  const { services } = context
  const parsed = parseOperation(given)
  requirePaymaster(parsed)
  const { signature, ...operation } = await withFees(toSigned(parsed, entryPoint), network)
  const wallet = await findOperationWallet({ database: services.database, network }, operation)
  const limits = await estimateLimits({ context, network }, wallet, { ...operation, signature })
  const { paymasterVerificationGasLimit } = limits
  const paymaster = paymasterOf(operation)
  const takesToken = paymaster !== undefined && isTokenPaymaster(network.config, paymaster)
  const paymasterPostOpGasLimit =
    takesToken && limits.paymasterPostOpGasLimit !== undefined
      ? limits.paymasterPostOpGasLimit + leftOutApproval.postOp
      : limits.paymasterPostOpGasLimit
  return {
    callGasLimit: numberToHex(limits.callGasLimit),
    verificationGasLimit: numberToHex(limits.verificationGasLimit),
    preVerificationGas: numberToHex(limits.preVerificationGas),
    ...(paymasterVerificationGasLimit !== undefined && {
      paymasterVerificationGasLimit: numberToHex(paymasterVerificationGasLimit),
    }),
    ...(paymasterPostOpGasLimit !== undefined && {
      paymasterPostOpGasLimit: numberToHex(paymasterPostOpGasLimit),
    }),
  }
}

/**
 * The limits that an operation needs.
 *
 * @param operation - its signature is the client's stub
 * @throws EXECUTION_REVERTED, OPERATION_REFUSED, PAYMASTER_REFUSED, REBUILD, and failures of the network and the
 * bundler
 */
export async function estimateLimits(
  { context: { services }, network }: Pick<RpcCall, 'context' | 'network'>,
  wallet: AnyWallet,
  { signature, ...operation }: SignedUserOperation,
  { mustBeSteady = false }: { readonly mustBeSteady?: boolean } = {},
): Promise<Omit<GasEstimate, 'execution'>> {
  const signer = (await findStubbed(services, wallet, network, signature)) ?? firstOwnerSigner(wallet)
  const stub = await signer.stubFor(network, { validUntil: 0 }, operation)
  const { execution, ...estimate } = await services.operations
    .bundlerFor(network.chainId)
    .estimate({
      operation: { ...operation, signature: stub.signature },
      ...stub.simulation,
      mustBeSteady,
    })
    .catch((error: unknown) => {
      throw aboutOperation(error, operation)
    })
  if (!execution.success) {
    const { revertData } = execution
    const reason = describeRevert(services.operations.features, revertData)
    throw new LanyardError('EXECUTION_REVERTED', {
      message: `A call of this operation would revert: ${reason}.`,
      details: { reason, revertData },
    })
  }
  return {
    ...estimate,
    verificationGasLimit: estimate.verificationGasLimit + stub.shortfall.verification,
    preVerificationGas: estimate.preVerificationGas + stub.shortfall.preVerification,
  }
}

/** The owner that the client's stub names, to which the validity is a prefix; undefined if it names none. */
async function findStubbed(
  { database, operations: { features } }: Services,
  wallet: AnyWallet,
  network: RpcCall['network'],
  signature: Hex,
): Promise<OperationSigner | undefined> {
  if (onlySigner(wallet) || size(signature) <= validitySize) return undefined
  const stub = slice(signature, validitySize)
  const ownersOn = async () => (await readOwners(network, wallet)).owners
  return signerOfForm(features, stub)?.ofStub?.({ wallet, database, ownersOn }, stub)
}

/** Bytes of validAfter and validUntil. */
const validitySize = 12

type Fees = Pick<SignedUserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/**
 * preVerificationGas counts the bytes of the fees, and a network with L1 data fees prices them. An operation
 * without fees is never sent, so estimated fees are used.
 */
async function withFees<T extends Fees>(operation: T, network: RpcCall['network']): Promise<T> {
  if (operation.maxFeePerGas > 0n) return operation
  const { maxFeePerGas, maxPriorityFeePerGas } = await network.fees()
  return { ...operation, maxFeePerGas, maxPriorityFeePerGas }
}
