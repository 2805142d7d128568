import { type Address, erc20Abi, formatEther, type PublicClient } from 'viem'
import { predictAttestorSetAddress, predictSmartBalanceAddress } from './addresses.ts'
import { DeploymentError } from './error.ts'
import { assertSupported } from './preflight.ts'
import { type DeploymentState, readState } from './read-state.ts'
import { settledNonce } from './settled-nonce.ts'
import {
  attestorsStep,
  type DeploymentStep,
  deployerStep,
  epochsStep,
  gasDepositStep,
  liquidityStep,
  missingLiquidity,
  outflowCapStep,
  pauserStep,
  roleSteps,
  smartBalanceStep,
  stakeStep,
} from './steps.ts'
import { assertConsistent, type DeploymentTarget } from './target.ts'

/** The remaining work on a network. */
export interface DeploymentPlan {
  readonly smartBalance: Address
  readonly verifier: Address
  /** In order; empty if the network matches the target. */
  readonly steps: readonly DeploymentStep[]
  /** The owner's transaction count: step i is sent with `nonce + i`, so that no step runs twice. */
  readonly nonce: number
  /** wei: the value that the steps send, and their approximate gas costs. */
  readonly nativeNeeded: bigint
  readonly nativeBalance: bigint
  /** Base units of the token. */
  readonly tokenNeeded: bigint
  readonly tokenBalance: bigint
}

/** All steps that lead from `state` to `target`, in order. Pure. */
const stepsTo = (target: DeploymentTarget, state: DeploymentState): DeploymentStep[] =>
  [
    epochsStep,
    deployerStep,
    attestorsStep,
    smartBalanceStep,
    roleSteps,
    pauserStep,
    outflowCapStep,
    gasDepositStep,
    stakeStep,
    liquidityStep,
  ].flatMap((step) => step(target, state))

/**
 * Reads the network and returns the remaining steps. Sends nothing, so it works as a dry run.
 *
 * @throws DeploymentError `INVALID_TARGET`, `UNSUPPORTED_NETWORK`, `UNSUPPORTED_TOKEN`, `PRESENT_DIFFERS`,
 * `TRANSACTIONS_PENDING`
 */
export async function planDeployment(
  client: PublicClient,
  target: DeploymentTarget,
): Promise<DeploymentPlan> {
  assertConsistent(target)
  await assertSupported(client, target)
  // Read before the state, so that the state includes all earlier transactions.
  const nonce = await settledNonce(client, target.owner)
  // Also detects an address that is not a token, with a better error than the balance below.
  const state = await readState(client, target)
  const [nativeBalance, tokenBalance, { maxFeePerGas }] = await Promise.all([
    client.getBalance({ address: target.owner }),
    client.readContract({
      address: target.token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [target.owner],
    }),
    client.estimateFeesPerGas(),
  ])
  const steps = stepsTo(target, state)
  return {
    smartBalance: predictSmartBalanceAddress(target.owner),
    verifier: predictAttestorSetAddress(target),
    steps,
    nonce,
    nativeNeeded: steps.reduce((sum, { value, gas }) => sum + value + gas * maxFeePerGas, 0n),
    nativeBalance,
    tokenNeeded: missingLiquidity(target, state),
    tokenBalance,
  }
}

/** @throws DeploymentError `INSUFFICIENT_FUNDS` naming the missing amount */
export function assertAffordable(plan: DeploymentPlan, target: DeploymentTarget): void {
  const { nativeNeeded, nativeBalance, tokenNeeded, tokenBalance } = plan
  const missing = [
    ...(nativeBalance < nativeNeeded
      ? [`about ${formatEther(nativeNeeded - nativeBalance)} of the native coin`]
      : []),
    ...(tokenBalance < tokenNeeded
      ? [`${tokenNeeded - tokenBalance} base units of the token ${target.token}`]
      : []),
  ]
  if (plan.steps.length === 0 || missing.length === 0) return
  throw new DeploymentError('INSUFFICIENT_FUNDS', `${target.owner} lacks ${missing.join(' and ')}.`)
}
