import type { Call } from '@lanyard/accounts'
import { type AssetChange, simulateChanges } from '@lanyard/bundler'
import { type EndpointResult, type endpoints, LanyardError, maxChanges } from '@lanyard/contracts'
import { currentMeter } from '../../../platform/log/current-request.ts'
import { type AnyWallet, accountOf, initCodeOf, rulesOf } from '../../accounts/accounts/wallet.ts'
import type { BuildTarget } from '../build-request.ts'
import { describeRevert, type OperationFeatures } from '../dependencies.ts'

interface ChangesRequest extends BuildTarget<AnyWallet> {
  readonly features: Pick<OperationFeatures, 'revertDecoders'>
  readonly calls: readonly Call[]
}

/** Gas that a simulation without an answer may have used. */
const unmeasuredGas = 8_000_000n

/**
 * What calls would change for an account, in one simulation. Nothing is decided by it.
 *
 * @throws NOTHING_TO_DO, EXECUTION_REVERTED with the reason, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function describeChanges({
  wallet,
  network,
  features,
  calls,
}: ChangesRequest): Promise<EndpointResult<typeof endpoints.smartAccount.simulate>> {
  const code = await network.call((client) => client.getCode({ address: wallet.address }))
  const deployed = rulesOf(wallet).isDeployed(code)
  if (deployed && calls.length === 0) throw new LanyardError('NOTHING_TO_DO')
  let gas = unmeasuredGas
  try {
    const simulated = await simulateChanges(network, {
      sender: wallet.address,
      initCode: initCodeOf(wallet, network, { deployed }),
      callData: accountOf(wallet).encodeCalls(calls),
      entryPoint: wallet.deployment.entryPoint,
    })
    gas = simulated?.gas ?? 0n
    if (!simulated) return {}
    if (!simulated.success) throw executionReverted(features, simulated.revertData)
    const { changes } = simulated
    if (!changes) return {}
    return {
      changes: changes.slice(0, maxChanges).map(toAnswer),
      ...(changes.length > maxChanges && { omitted: changes.length - maxChanges }),
    }
  } finally {
    currentMeter()?.addGas(gas)
  }
}

const toAnswer = ({ id, amount, ...rest }: AssetChange) => ({
  ...rest,
  ...(id !== undefined && { id: id.toString() }),
  ...(amount !== undefined && { amount: amount.toString() }),
})

function executionReverted(features: ChangesRequest['features'], revertData: `0x${string}`): LanyardError {
  const reason = describeRevert(features, revertData)
  return new LanyardError('EXECUTION_REVERTED', {
    message: `The calls would revert: ${reason}.`,
    details: { reason, revertData: revertData.slice(0, 4_098) },
  })
}
