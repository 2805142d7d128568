import { type Address, erc20Abi, isAddressEqual, type PublicClient, zeroAddress } from 'viem'
import { entryPointAbi } from '../abis/entry-point.ts'
import { epochsAddress } from '../deterministic-deployment.ts'
import { smartBalanceAbi } from '../generated/SmartBalance.ts'
import {
  predictAttestorSetAddress,
  predictSmartBalanceAddress,
  smartBalanceDeployerAddress,
} from './addresses.ts'
import { DeploymentError } from './error.ts'
import type { DeploymentTarget } from './target.ts'

/** The parts of a target that are already on the network. */
export interface DeploymentState {
  readonly hasEpochs: boolean
  readonly hasDeployer: boolean
  readonly hasAttestorSet: boolean
  readonly hasSmartBalance: boolean
  /** The target's accounts that have their role. */
  readonly operators: readonly Address[]
  readonly settlers: readonly Address[]
  readonly pauser: Address
  /** 6-decimal units. */
  readonly outflowCap: bigint
  readonly liquidity: bigint
  /** wei. */
  readonly gasDeposit: bigint
  readonly stake: bigint
  /** Seconds; 0 while nothing is staked, or the stake is unlocked. */
  readonly unstakeDelay: number
  /** Base units of the token for one 6-decimal unit. */
  readonly scale: bigint
}

/**
 * Reads the progress of the deployment.
 *
 * @throws DeploymentError `UNSUPPORTED_TOKEN`; `PRESENT_DIFFERS` if SmartBalance exists with another owner or other
 * contracts
 */
export async function readState(client: PublicClient, target: DeploymentTarget): Promise<DeploymentState> {
  const smartBalance = predictSmartBalanceAddress(target.owner)
  const hasCode = async (address: Address) => (await client.getCode({ address })) !== undefined
  const [hasEpochs, hasDeployer, hasAttestorSet, hasSmartBalance, scale, staked] = await Promise.all([
    hasCode(epochsAddress),
    hasCode(smartBalanceDeployerAddress),
    hasCode(predictAttestorSetAddress(target)),
    hasCode(smartBalance),
    readScale(client, target.token),
    client.readContract({
      address: target.entryPoint,
      abi: entryPointAbi,
      functionName: 'getDepositInfo',
      args: [smartBalance],
    }),
  ])
  const common = {
    hasEpochs,
    hasDeployer,
    hasAttestorSet,
    hasSmartBalance,
    scale,
    gasDeposit: staked.deposit,
    stake: staked.stake,
    unstakeDelay: staked.staked ? staked.unstakeDelaySec : 0,
  }
  if (!hasSmartBalance) {
    return { ...common, operators: [], settlers: [], pauser: zeroAddress, outflowCap: 0n, liquidity: 0n }
  }
  await assertSame(client, smartBalance, target)
  const contract = { address: smartBalance, abi: smartBalanceAbi } as const
  const [operators, settlers, pauser, [outflowCap], liquidity] = await Promise.all([
    filter(target.operators, (operator) =>
      client.readContract({ ...contract, functionName: 'isOperator', args: [operator] }),
    ),
    filter(target.settlers, (settler) =>
      client.readContract({ ...contract, functionName: 'isSettler', args: [settler] }),
    ),
    client.readContract({ ...contract, functionName: 'pauser' }),
    client.readContract({ ...contract, functionName: 'outflow' }),
    client.readContract({ ...contract, functionName: 'liquidity' }),
  ])
  return { ...common, operators, settlers, pauser, outflowCap, liquidity }
}

async function readScale(client: PublicClient, token: Address): Promise<bigint> {
  const decimals = await client
    .readContract({ address: token, abi: erc20Abi, functionName: 'decimals' })
    .catch((cause) => {
      throw new DeploymentError('UNSUPPORTED_TOKEN', `${token} does not answer decimals(): is it a token?`, {
        cause,
      })
    })
  // Vault's own bounds.
  if (decimals >= 6 && decimals <= 36) return 10n ** BigInt(decimals - 6)
  throw new DeploymentError(
    'UNSUPPORTED_TOKEN',
    `${token} has ${decimals} decimals. SmartBalance counts in units of 6 decimals and accepts tokens with 6 to 36.`,
  )
}

async function assertSame(client: PublicClient, address: Address, target: DeploymentTarget): Promise<void> {
  const contract = { address, abi: smartBalanceAbi } as const
  const [owner, token, verifier, entryPoint, safe4337Module, epochs] = await Promise.all([
    client.readContract({ ...contract, functionName: 'owner' }),
    client.readContract({ ...contract, functionName: 'token' }),
    client.readContract({ ...contract, functionName: 'verifier' }),
    client.readContract({ ...contract, functionName: 'ENTRY_POINT' }),
    client.readContract({ ...contract, functionName: 'SAFE_4337_MODULE' }),
    client.readContract({ ...contract, functionName: 'EPOCHS' }),
  ])
  const compared: [what: string, present: Address, wanted: Address][] = [
    ['owner', owner, target.owner],
    ['token', token, target.token],
    ['verifier (its attestors or threshold)', verifier, predictAttestorSetAddress(target)],
    ['EntryPoint', entryPoint, target.entryPoint],
    ['Safe4337Module', safe4337Module, target.safe4337Module],
    ['Epochs', epochs, epochsAddress],
  ]
  const other = compared.filter(([, present, wanted]) => !isAddressEqual(present, wanted))
  if (other.length === 0) return
  const list = other.map(([what, present, wanted]) => `${what} is ${present} instead of ${wanted}`)
  throw new DeploymentError(
    'PRESENT_DIFFERS',
    `SmartBalance at ${address} has other settings: ${list.join('; ')}.`,
  )
}

async function filter<T>(items: readonly T[], matches: (item: T) => Promise<boolean>): Promise<T[]> {
  const verdicts = await Promise.all(items.map(matches))
  return items.filter((_, index) => verdicts[index])
}
