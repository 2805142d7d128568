import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeDeployData,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  toHex,
} from 'viem'
import { attestorSetAbi, attestorSetBytecode } from '../generated/AttestorSet.ts'
import { smartBalanceBytecode } from '../generated/SmartBalance.ts'
import { smartBalanceDeployerBytecode } from '../generated/SmartBalanceDeployer.ts'
import type { DeploymentTarget } from './target.ts'

/** Nick Johnson's deterministic deployment proxy: its call data is a 32-byte salt and creation code. */
export const deterministicDeployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** The salt of all three contracts. A different salt gives different addresses; nothing else depends on it. */
export const deploymentSalt: Hex = keccak256(toHex('lanyard.smart-balance.1'))

/** Call data for {@link deterministicDeployer}. */
export const deterministicCall = (creationCode: Hex): Hex => concat([deploymentSalt, creationCode])

function predictDeterministic(creationCode: Hex): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: deterministicDeployer,
    salt: deploymentSalt,
    bytecode: creationCode,
  })
}

/** The address of SmartBalanceDeployer on every network. */
export const smartBalanceDeployerAddress: Address = predictDeterministic(smartBalanceDeployerBytecode)

type AttestorSetParameters = Pick<DeploymentTarget, 'owner' | 'attestors' | 'threshold'>

/**
 * AttestorSet's creation code with its arguments. The attestors are sorted, so that their original order does
 * not matter.
 */
export function attestorSetCreationCode({ owner, attestors, threshold }: AttestorSetParameters): Hex {
  const ascending = attestors
    .map((attestor) => getAddress(attestor))
    .sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  return encodeDeployData({
    abi: attestorSetAbi,
    bytecode: attestorSetBytecode,
    args: [owner, ascending, BigInt(threshold)],
  })
}

/** The address of the AttestorSet with these parameters on every network. */
export const predictAttestorSetAddress = (parameters: AttestorSetParameters): Address =>
  predictDeterministic(attestorSetCreationCode(parameters))

/**
 * The address at which `owner` deploys SmartBalance, on every network: `SmartBalanceDeployer.addressOf`. It
 * does not depend on the token or the other parameters.
 */
export function predictSmartBalanceAddress(owner: Address, salt: Hex = deploymentSalt): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: smartBalanceDeployerAddress,
    salt: keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [owner, salt])),
    bytecode: smartBalanceBytecode,
  })
}
