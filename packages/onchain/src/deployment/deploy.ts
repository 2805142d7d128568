import type { Account, Chain, Hash, PublicClient, Transport, WalletClient } from 'viem'
import { DeploymentError } from './error.ts'
import { assertAffordable, type DeploymentPlan, planDeployment } from './plan.ts'
import type { DeploymentStep } from './steps.ts'
import type { DeploymentTarget } from './target.ts'

/** Progress of a deployment. */
export interface DeploymentProgress {
  readonly step: DeploymentStep
  /** 1 for the first of `total`. */
  readonly position: number
  readonly total: number
  readonly transactionHash: Hash
  readonly state: 'sent' | 'included'
}

export interface DeployOptions {
  /**
   * Called once, before the first step is sent, if there are any steps; if it throws, the deployment ends.
   */
  readonly onPlan?: (plan: DeploymentPlan) => Promise<void>
  readonly onProgress?: (progress: DeploymentProgress) => void
}

/**
 * Brings a network to `target`: sends the transactions that {@link planDeployment} returns, one after the
 * other.
 *
 * If it is killed at any point, run it again to continue. It does not repeat what is on the chain, and while
 * a transaction may still be included, the next run stops. Two concurrent runs collide in their nonces, so
 * that no step runs twice.
 *
 * @param walletClient - signs as the target's owner.
 * @returns the plan that was carried out; no steps if the network already matched the target.
 * @throws DeploymentError as {@link planDeployment}, and `INSUFFICIENT_FUNDS`, `STEP_REVERTED`
 */
export async function deploySmartBalance(
  publicClient: PublicClient,
  walletClient: WalletClient<Transport, Chain | undefined, Account>,
  target: DeploymentTarget,
  { onPlan, onProgress }: DeployOptions = {},
): Promise<DeploymentPlan> {
  const plan = await planDeployment(publicClient, target)
  assertAffordable(plan, target)
  if (plan.steps.length > 0) await onPlan?.(plan)
  for (const [index, step] of plan.steps.entries()) {
    const { to, data, value } = step
    const transactionHash = await walletClient.sendTransaction({
      chain: walletClient.chain ?? null,
      to,
      data,
      value,
      nonce: plan.nonce + index,
    })
    const progress = { step, position: index + 1, total: plan.steps.length, transactionHash }
    onProgress?.({ ...progress, state: 'sent' })
    const { status } = await publicClient.waitForTransactionReceipt({ hash: transactionHash })
    if (status !== 'success') {
      throw new DeploymentError('STEP_REVERTED', `Reverted: ${step.description} (${transactionHash}).`)
    }
    onProgress?.({ ...progress, state: 'included' })
  }
  return plan
}
