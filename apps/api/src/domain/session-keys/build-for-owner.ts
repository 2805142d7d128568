import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import { explainRefusal } from '@lanyard/session-keys'
import type { Transaction } from 'kysely'
import { isHex } from 'viem'
import {
  type BuildTarget,
  type BuiltOperation,
  type FindPayer,
  toUserOp,
  toValidity,
} from '../operations/build-request.ts'
import type { OperationDependencies } from '../operations/dependencies.ts'
import { buildOperation } from '../operations/prepare/build-operation.ts'
import { eoaSigner, hasEoaSigner } from '../operations/signers/eoa.ts'
import { sessionRejected } from './session-rejected.ts'

interface OwnerBuildRequest extends BuildTarget {
  readonly calls: readonly Call[]
  readonly findPayer: FindPayer
  /** The caller, as `builderOf` names it. */
  readonly builtBy: string
  /** Runs in the transaction that writes the operation. */
  readonly onPersisted?:
    | ((transaction: Transaction<Database>, build: OwnerBuild) => Promise<void>)
    | undefined
}

export type OwnerBuild = ReturnType<typeof toAnswer> | Record<never, never>

/**
 * Builds the operation that makes `calls` for an EOA to sign, as `transaction/build` returns it. Undefined if
 * no EOA owns the account, since a passkey signs in a ceremony.
 *
 * @throws SESSION_REFUSED when the contract rejects the grant, and what `findPayer` and `buildOperation`
 * throw
 */
export async function buildForOwner(
  operations: OperationDependencies,
  request: OwnerBuildRequest,
): Promise<OwnerBuild> {
  const { wallet, network, calls, findPayer, builtBy, onPersisted } = request
  if (!(await hasEoaSigner(network, wallet))) return {}
  const built = await buildOperation(operations, {
    wallet,
    network,
    calls,
    payer: await findPayer(),
    signer: eoaSigner,
    builtBy,
    onPersisted: onPersisted && ((transaction, written) => onPersisted(transaction, toAnswer(written))),
  }).catch(explain)
  return toAnswer(built)
}

/**
 * A call that SessionKeys itself rejects, e.g. a rule for a module of the account, becomes an error with the
 * contract's reason.
 */
function explain(error: unknown): never {
  const revertData = error instanceof LanyardError ? error.details.revertData : undefined
  const rejection = isHex(revertData) ? explainRefusal(revertData) : undefined
  throw rejection ? sessionRejected(rejection) : error
}

const toAnswer = (built: BuiltOperation) => ({
  userOp: toUserOp(built),
  messageToSign: built.operationHash,
  signMode: 'ECDSA' as const,
  ...toValidity(built),
})
