import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { SessionKey } from '@lanyard/session-keys'
import type { BuildTarget, FindPayer } from '../operations/build-request.ts'
import type { OperationDependencies } from '../operations/dependencies.ts'
import { estimateOperation, requireFunds } from '../operations/prepare/estimate.ts'
import { requireSessionFee, requireSessionPaymaster } from './session-rejected.ts'
import { readSessionSigner } from './session-signer.ts'

interface CheckRequest extends BuildTarget {
  readonly key: SessionKey
  readonly calls: readonly Call[]
  readonly findPayer: FindPayer
}

interface Reason {
  readonly rule: string
  readonly message: string
  readonly call?: number
}

/**
 * Makes all checks of a build, and writes nothing.
 *
 * @returns the rejection; undefined when the build would pass
 * @throws errors unrelated to the session: INSUFFICIENT_FUNDS, PAYMASTER_REFUSED, failures of the network and
 * the bundler
 */
export async function checkSession(
  operations: OperationDependencies,
  request: CheckRequest,
): Promise<Reason | undefined> {
  try {
    await tryBuild(operations, request)
    return undefined
  } catch (error) {
    const reason = error instanceof LanyardError ? toReason(error) : undefined
    if (reason) return reason
    throw error
  }
}

async function tryBuild(
  operations: OperationDependencies,
  { wallet, network, key, calls, findPayer }: CheckRequest,
): Promise<void> {
  const signer = await readSessionSigner(network, wallet, key)
  const payer = await findPayer(signer.encodeCallData(calls, wallet))
  requireSessionPaymaster(signer.session, payer)
  const bundler = operations.bundlerFor(network.chainId)
  const { features } = operations
  const request = { wallet, network, bundler, features, calls, payer, signer, allowRevert: false }
  const estimated = await estimateOperation(request)
  requireSessionFee(signer.session, estimated.operation)
  await requireFunds(request, estimated)
}

/** An error that names a rule of the contract. */
function toReason({ message, details: { rule, call } }: LanyardError): Reason | undefined {
  if (typeof rule !== 'string') return undefined
  return { rule, message, ...(typeof call === 'number' && { call }) }
}
