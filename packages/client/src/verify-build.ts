import {
  type AccountDeployment,
  type AccountOwner,
  type Call,
  computeAccountAddress,
  decodeCalls,
  encodeInitCode,
  fromWireUserOperation,
  getSafeOperationHash,
  requiredPrefund,
  safeDeployment,
  type UserOperation,
} from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { type Address, type Hash, isAddressEqual, isHex } from 'viem'
import type { Build, BuildRequest } from './build.ts'
import { BuildVerificationError } from './verification-error.ts'

export interface VerifyBuildParameters {
  readonly build: Build
  readonly request: BuildRequest
  /** The first owner of the account: its address, and the code that deploys it, follow from the owner alone. */
  readonly owner: AccountOwner
  /** Default: the canonical contracts. */
  readonly deployment?: AccountDeployment
  /** The most that the operation may cost, wei. Absent: any fee that the service chose; show it before signing. */
  readonly maximumCost?: bigint
}

/** What a verified build stands for. */
export interface VerifiedBuild {
  readonly operation: UserOperation
  /** The account that the operation is of. */
  readonly account: Address
  /** All that the operation can do. */
  readonly calls: readonly Call[]
  /** The SafeOp hash as recomputed here: the 32 bytes to sign. */
  readonly hash: Hash
  /** The most that it can cost whoever pays, wei. */
  readonly cost: bigint
}

/**
 * Recomputes everything that a signature over `build.messageToSign` would allow, from the request and the owner
 * alone: the account, the code that deploys it, the calls, who pays, and the hash itself. The service is not trusted
 * with any of it.
 *
 * @throws BuildVerificationError naming the first member that is not what was asked for
 */
export function verifyBuild({
  build,
  request,
  owner,
  deployment = safeDeployment,
  maximumCost,
}: VerifyBuildParameters): VerifiedBuild {
  const asked = endpoints.smartAccount.build.body.parse(request)
  const operation = readOperation(build, asked.paymasterData)
  const account = computeAccountAddress(owner, deployment)

  if (!isAddressEqual(operation.sender, account)) {
    throw new BuildVerificationError('userOp.sender', `expected the owner's account ${account}`)
  }
  const initCode = operation.initCode.toLowerCase()
  if (initCode !== '0x' && initCode !== encodeInitCode(owner, deployment).toLowerCase()) {
    throw new BuildVerificationError('userOp.initCode', 'it deploys something else than the account')
  }
  const calls = verifyCalls(operation, asked.transactionDetails, deployment)
  if (build.signMode !== (asked.signMode ?? 'ECDSA')) {
    throw new BuildVerificationError('signMode', 'another kind of signature was asked for')
  }
  const hash = getSafeOperationHash(operation, {
    chainId: asked.network,
    module: deployment.module,
    entryPoint: deployment.entryPoint,
    validAfter: Number(build.validAfter ?? 0),
    validUntil: Number(build.validUntil ?? 0),
  })
  if (hash !== build.messageToSign.toLowerCase()) {
    throw new BuildVerificationError('messageToSign', `the operation's hash is ${hash}`)
  }
  const cost = requiredPrefund(operation)
  if (maximumCost !== undefined && cost > maximumCost) {
    throw new BuildVerificationError(
      'userOp.maxFeePerGas',
      `it may cost ${cost} wei, more than ${maximumCost}`,
    )
  }
  return { operation, account, calls, hash, cost }
}

function readOperation({ userOp }: Build, paymasterData: string | undefined): UserOperation {
  const own = paymasterData !== undefined && isHex(paymasterData) ? paymasterData : '0x'
  const { paymasterAndData: filled, ...nine } = userOp
  if (paymasterData !== 'sponsored' && filled !== undefined && filled.toLowerCase() !== own) {
    throw new BuildVerificationError('userOp.paymasterAndData', 'another paymaster than the one asked for')
  }
  const tenth = filled === undefined ? {} : { paymasterAndData: filled }
  const read = fromWireUserOperation({ ...nine, ...tenth }, { paymasterAndData: own })
  if (read.ok) return read.operation
  throw new BuildVerificationError(`userOp.${read.field}`, read.message)
}

type AskedCall = { encodedData: string; targetContractAddress: Address; value: bigint }

function verifyCalls(
  { callData }: UserOperation,
  asked: readonly AskedCall[],
  deployment: AccountDeployment,
): readonly Call[] {
  const decoded = decodeCalls(callData, deployment)
  if (!decoded.ok) throw new BuildVerificationError('userOp.callData', decoded.message)
  if (decoded.calls.length !== asked.length) {
    const counts = `${decoded.calls.length} calls instead of ${asked.length}`
    throw new BuildVerificationError('userOp.callData', counts)
  }
  asked.forEach(({ encodedData, targetContractAddress, value }, index) => {
    const call = decoded.calls[index]
    const same =
      call?.value === value &&
      call.data.toLowerCase() === encodedData &&
      isAddressEqual(call.to, targetContractAddress)
    if (!same) throw new BuildVerificationError('userOp.callData', `call ${index} is not the one asked for`)
  })
  return decoded.calls
}
