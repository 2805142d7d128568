import type { Account, Chain, Hash, PublicClient, Transport, WalletClient } from 'viem'
import { DeploymentError } from './error.ts'
import { assertAffordable, type DeploymentPlan, planDeployment } from './plan.ts'
import type { DeploymentStep } from './steps.ts'
import type { DeploymentTarget } from './target.ts'

/** What happens, as it happens. */
export interface DeploymentProgress {
  readonly step: DeploymentStep
  /** 1 for the first of `total`. */
  readonly position: number
  readonly total: number
  readonly transactionHash: Hash
  readonly state: 'sent' | 'included'
}

export interface DeployOptions {
  /** Called once, before the first step is sent, unless there is none; what it throws ends the deployment. */
  readonly onPlan?: (plan: DeploymentPlan) => Promise<void>
  readonly onProgress?: (progress: DeploymentProgress) => void
}

/**
 * Brings a network to `target`: does what {@link planDeployment} finds still to do, one transaction after the other.
 *
 * Killed at any point it continues when it is run again: what is on the chain is not done again, and a transaction
 * that may still be included stops the next run until it is. Two runs at once collide in their nonces, so that no
 * step is done twice.
 *
 * @param walletClient - signs as the target's owner.
 * @returns the plan that was carried out; no steps when everything was as wanted.
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
