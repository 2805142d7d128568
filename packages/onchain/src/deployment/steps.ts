import { type Address, encodeFunctionData, erc20Abi, type Hex, isAddressEqual } from 'viem'
import { epochsAddress, epochsDeployment } from '../deterministic-deployment.ts'
import { smartBalanceAbi, smartBalanceBytecode } from '../generated/SmartBalance.ts'
import { smartBalanceDeployerAbi, smartBalanceDeployerBytecode } from '../generated/SmartBalanceDeployer.ts'
import {
  attestorSetCreationCode,
  deploymentSalt,
  deterministicCall,
  deterministicDeployer,
  predictAttestorSetAddress,
  predictSmartBalanceAddress,
  smartBalanceDeployerAddress,
} from './addresses.ts'
import type { DeploymentState } from './read-state.ts'
import type { DeploymentTarget } from './target.ts'

/** Long enough for bundlers to accept the paymaster (ERC-7562: a day), seconds. */
const unstakeDelay = 86_400

/** One transaction of the owner. */
export interface DeploymentStep {
  readonly name:
    | 'epochs'
    | 'deployer'
    | 'attestors'
    | 'smartBalance'
    | 'operator'
    | 'settler'
    | 'pauser'
    | 'outflowCap'
    | 'gasDeposit'
    | 'stake'
    | 'liquidity'
  /** A description for the operator. */
  readonly description: string
  readonly to: Address
  readonly data: Hex
  /** wei. */
  readonly value: bigint
  /** The approximate measured gas, only for the estimate of a dry run and never as a limit. */
  readonly gas: bigint
}

/** Base units of the token that {@link liquidityStep} takes from the owner. */
export const missingLiquidity = (target: DeploymentTarget, state: DeploymentState): bigint =>
  target.liquidity > state.liquidity ? (target.liquidity - state.liquidity) * state.scale : 0n

/** Deploys Epochs, which SmartBalance reads, through the deterministic deployer. */
export function epochsStep(_: DeploymentTarget, state: DeploymentState): DeploymentStep[] {
  if (state.hasEpochs) return []
  return [
    {
      name: 'epochs',
      description: `deploy Epochs at ${epochsAddress}`,
      to: deterministicDeployer,
      data: epochsDeployment,
      value: 0n,
      gas: 300_000n,
    },
  ]
}

/** Deploys SmartBalanceDeployer through the deterministic deployer. */
export function deployerStep(_: DeploymentTarget, state: DeploymentState): DeploymentStep[] {
  if (state.hasDeployer) return []
  return [
    {
      name: 'deployer',
      description: `deploy SmartBalanceDeployer at ${smartBalanceDeployerAddress}`,
      to: deterministicDeployer,
      data: deterministicCall(smartBalanceDeployerBytecode),
      value: 0n,
      gas: 500_000n,
    },
  ]
}

/** Deploys AttestorSet through the deterministic deployer. */
export function attestorsStep(target: DeploymentTarget, state: DeploymentState): DeploymentStep[] {
  if (state.hasAttestorSet) return []
  const { threshold, attestors } = target
  return [
    {
      name: 'attestors',
      description: `deploy AttestorSet (${threshold} of ${attestors.length}) at ${predictAttestorSetAddress(target)}`,
      to: deterministicDeployer,
      data: deterministicCall(attestorSetCreationCode(target)),
      value: 0n,
      gas: 1_300_000n,
    },
  ]
}

/** Deploys SmartBalance through SmartBalanceDeployer. */
export function smartBalanceStep(target: DeploymentTarget, state: DeploymentState): DeploymentStep[] {
  if (state.hasSmartBalance) return []
  const { owner, token, entryPoint, safe4337Module } = target
  const parameters = {
    ...{ token, entryPoint, safe4337Module, owner },
    verifier: predictAttestorSetAddress(target),
    epochs: epochsAddress,
  }
  return [
    {
      name: 'smartBalance',
      description: `deploy SmartBalance at ${predictSmartBalanceAddress(owner)}`,
      to: smartBalanceDeployerAddress,
      data: encodeFunctionData({
        abi: smartBalanceDeployerAbi,
        functionName: 'deploy',
        args: [deploymentSalt, smartBalanceBytecode, parameters],
      }),
      value: 0n,
      gas: 5_300_000n,
    },
  ]
}

const isIn = (list: readonly Address[], address: Address) =>
  list.some((other) => isAddressEqual(other, address))

/** A call to SmartBalance by its owner. */
const ownCall = (target: DeploymentTarget, data: Hex, value = 0n) => ({
  to: predictSmartBalanceAddress(target.owner),
  data,
  value,
  gas: 70_000n,
})

/** Adds the missing operators and settlers, one transaction each. */
export function roleSteps(target: DeploymentTarget, state: DeploymentState): DeploymentStep[] {
  const roles = [
    { name: 'operator', functionName: 'setOperator', wanted: target.operators, present: state.operators },
    { name: 'settler', functionName: 'setSettler', wanted: target.settlers, present: state.settlers },
  ] as const
  return roles.flatMap(({ name, functionName, wanted, present }) =>
    wanted
      .filter((holder) => !isIn(present, holder))
      .map((holder) => ({
        name,
        description: `make ${holder} ${name}`,
        ...ownCall(target, encodeFunctionData({ abi: smartBalanceAbi, functionName, args: [holder, true] })),
      })),
  )
}

/** Who may stop new orders. */
export function pauserStep(target: DeploymentTarget, state: DeploymentState): DeploymentStep[] {
  const { pauser } = target
  if (pauser === undefined || isAddressEqual(pauser, state.pauser)) return []
  return [
    {
      name: 'pauser',
      description: `make ${pauser} pauser`,
      ...ownCall(
        target,
        encodeFunctionData({ abi: smartBalanceAbi, functionName: 'setPauser', args: [pauser] }),
      ),
    },
  ]
}

/** The hourly cap on what may be lent. */
export function outflowCapStep(target: DeploymentTarget, state: DeploymentState): DeploymentStep[] {
  if (state.outflowCap === target.outflowCap) return []
  return [
    {
      name: 'outflowCap',
      description: `limit lending to ${target.outflowCap} units an hour`,
      ...ownCall(
        target,
        encodeFunctionData({
          abi: smartBalanceAbi,
          functionName: 'setOutflowCap',
          args: [target.outflowCap],
        }),
      ),
    },
  ]
}

/** What the paymaster's deposit in EntryPoint lacks. */
export function gasDepositStep(target: DeploymentTarget, state: DeploymentState): DeploymentStep[] {
  const missing = target.gasDeposit - state.gasDeposit
  if (missing <= 0n) return []
  return [
    {
      name: 'gasDeposit',
      description: `deposit ${missing} wei for gas in EntryPoint`,
      ...ownCall(target, encodeFunctionData({ abi: smartBalanceAbi, functionName: 'depositGas' }), missing),
    },
  ]
}

/** What the paymaster's stake in EntryPoint lacks; also locks one again that was unlocked. */
export function stakeStep(target: DeploymentTarget, state: DeploymentState): DeploymentStep[] {
  const missing = target.stake > state.stake ? target.stake - state.stake : 0n
  if (target.stake === 0n || (missing === 0n && state.unstakeDelay >= unstakeDelay)) return []
  // EntryPoint refuses a shorter delay than the current one.
  const delay = Math.max(unstakeDelay, state.unstakeDelay)
  return [
    {
      name: 'stake',
      description: `stake ${missing} wei in EntryPoint, unstake delay ${delay} s`,
      ...ownCall(
        target,
        encodeFunctionData({ abi: smartBalanceAbi, functionName: 'addStake', args: [delay] }),
        missing,
      ),
    },
  ]
}

/** What liquidity lacks: a plain transfer of the owner's tokens. */
export function liquidityStep(target: DeploymentTarget, state: DeploymentState): DeploymentStep[] {
  const amount = missingLiquidity(target, state)
  if (amount === 0n) return []
  return [
    {
      name: 'liquidity',
      description: `transfer ${amount / state.scale} units of liquidity`,
      to: target.token,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [predictSmartBalanceAddress(target.owner), amount],
      }),
      value: 0n,
      gas: 70_000n,
    },
  ]
}
