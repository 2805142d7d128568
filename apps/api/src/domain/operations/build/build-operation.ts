import type { Call, UserOperation } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import type { Hash } from 'viem'
import type { Wallet } from '../../accounts/accounts/wallet.ts'
import type { OperationDependencies } from '../dependencies.ts'
import type { OperationSigner } from '../operation-signer.ts'
import type { Payer } from '../payer.ts'
import { estimateOperation } from './estimate.ts'
import { requireFunds } from './funds.ts'
import { writeBuild } from './write-build.ts'

export interface BuildRequest {
  readonly wallet: Wallet
  readonly network: Network
  readonly calls: readonly Call[]
  readonly payer: Payer
  readonly signMode: 'ECDSA' | 'WEBAUTHN' | 'SESSION_KEY'
  /** Absent: the account's first owner. */
  readonly signer?: OperationSigner | undefined
  /** Who asks for it, as `builderOf` names them. */
  readonly builtBy: string
  /** An operation that is not included. */
  readonly replaces?: Hash | undefined
  readonly allowRevert?: boolean | undefined
  /** How many of the calls the caller did not send: the service put them in front. */
  readonly prepended?: number | undefined
  /** Runs in the transaction that writes the row, for what must be there exactly when the row is. */
  readonly onPersisted?:
    | ((transaction: Transaction<Database>, built: BuiltOperation) => Promise<void>)
    | undefined
}

export interface BuiltOperation {
  readonly operation: UserOperation
  readonly userOpHash: Hash
  /** What the owner signs. */
  readonly safeOperationHash: Hash
  /** Unix seconds, signed with it; 0: from the beginning. */
  readonly validAfter: number
  /** Unix seconds, signed with it; 0: without end. */
  readonly validUntil: number
  /** `paymasterAndData` is the service's, not the caller's. */
  readonly filledByService: boolean
}

/**
 * Builds a user operation: simulates, estimates, chooses a nonce and writes the row, all before its owner can sign.
 * When the process dies on the way nothing has happened. After the row is written, the build waits for its signature or
 * expires. It owns nothing meanwhile: any number of builds may have one nonce, and the first that is signed gets it.
 *
 * @throws what `estimateOperation`, `requireFunds` and `writeBuild` throw
 */
export async function buildOperation(
  dependencies: OperationDependencies,
  request: BuildRequest,
): Promise<BuiltOperation> {
  const { wallet, network, calls, payer, signer, allowRevert = false, prepended } = request
  const bundler = dependencies.bundlerFor(network.chainId)
  const estimateRequest = { wallet, network, bundler, calls, payer, allowRevert, signer, prepended }
  const estimated = await estimateOperation(estimateRequest)
  await requireFunds(estimateRequest, estimated)
  await dependencies.checkpoint('build:estimated')

  const built = await writeBuild(dependencies, request, estimated)
  await dependencies.checkpoint('build:written')
  return built
}
