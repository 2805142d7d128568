import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import { explainRefusal } from '@lanyard/session-keys'
import type { Transaction } from 'kysely'
import { type Hex, isHex } from 'viem'
import { builderOf } from '../../pipeline/access/builder-of.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import { type BuiltOperation, buildOperation } from '../operations/build/build-operation.ts'
import { toUserOp, toValidity } from '../operations/build/to-user-op.ts'
import { eoaSigner } from '../operations/operation-signer.ts'
import { hasEoaSigner } from '../owners/require-eoa-signer.ts'
import type { BuildTarget } from '../smart-balance/orders/build-target.ts'
import { findEoaSigners } from '../smart-balance/orders/eoa-signers.ts'
import { findPayer } from '../smart-balance/orders/find-payer.ts'
import { sessionRefused } from './session-refused.ts'

interface OwnerBuildRequest extends BuildTarget {
  readonly calls: readonly Call[]
  readonly paymasterData: 'sponsored' | Hex
  /** In the transaction that writes the operation. */
  readonly onPersisted: (transaction: Transaction<Database>, build: OwnerBuild) => Promise<void>
}

export type OwnerBuild = ReturnType<typeof toAnswer> | Record<never, never>

/**
 * The operation that makes `calls` for an EOA to sign, as `transaction/build` answers it; nothing where no EOA owns
 * the account, since a passkey signs in a ceremony.
 *
 * @throws SESSION_REFUSED where the contract refuses the grant, and what `findPayer` and `buildOperation` throw
 */
export async function buildForOwner(
  context: RequestContext,
  request: OwnerBuildRequest,
): Promise<OwnerBuild> {
  const { wallet, network, calls, paymasterData, onPersisted } = request
  const { services } = context
  if (!(await hasEoaSigner(network, wallet))) return {}
  const signers = () => findEoaSigners(services, network, wallet)
  const { payer } = await findPayer(context, { wallet, network, paymasterData, calls, signers })
  const built = await buildOperation(services.operations, {
    wallet,
    network,
    calls,
    payer,
    signMode: 'ECDSA',
    signer: eoaSigner,
    builtBy: await builderOf(context, wallet),
    onPersisted: (transaction, written) => onPersisted(transaction, toAnswer(written)),
  }).catch(explain)
  return toAnswer(built)
}

/** A call that SessionKeys itself refuses, e.g. a rule for a module of the account, in its words. */
function explain(error: unknown): never {
  const revertData = error instanceof LanyardError ? error.details.revertData : undefined
  const refusal = isHex(revertData) ? explainRefusal(revertData) : undefined
  throw refusal ? sessionRefused(refusal) : error
}

const toAnswer = (built: BuiltOperation) => ({
  userOp: toUserOp(built),
  messageToSign: built.safeOperationHash,
  signMode: 'ECDSA' as const,
  ...toValidity(built),
})
