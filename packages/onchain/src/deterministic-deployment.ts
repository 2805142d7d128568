import {
  type Address,
  type ContractConstructorArgs,
  concat,
  encodeDeployData,
  getContractAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  toHex,
} from 'viem'
import { epochsBytecode } from './generated/Epochs.ts'
import { ownershipAbi, ownershipBytecode } from './generated/Ownership.ts'
import { sessionKeysAbi, sessionKeysBytecode } from './generated/SessionKeys.ts'
import { tokenPaymasterAbi, tokenPaymasterBytecode } from './generated/TokenPaymaster.ts'

/** The contracts that Ownership works with, its constructor argument: the same on every network. */
export type OwnershipDeploymentContext = ContractConstructorArgs<typeof ownershipAbi>[0]

/** The contracts that SessionKeys works with, its constructor argument: the same on every network. */
export type SessionKeysDeploymentContext = ContractConstructorArgs<typeof sessionKeysAbi>[0]

const ownershipCode = (deploymentContext: OwnershipDeploymentContext): Hex =>
  encodeDeployData({ abi: ownershipAbi, bytecode: ownershipBytecode, args: [deploymentContext] })

const sessionKeysCode = (deploymentContext: SessionKeysDeploymentContext): Hex =>
  encodeDeployData({ abi: sessionKeysAbi, bytecode: sessionKeysBytecode, args: [deploymentContext] })

/** A different salt gives a different address; nothing else depends on it. */
const ownershipSalt = keccak256(toHex('lanyard.ownership.1'))
const sessionKeysSalt = keccak256(toHex('lanyard.session-keys.1'))
const tokenPaymasterSalt = keccak256(toHex('lanyard.token-paymaster.1'))
const epochsSalt = keccak256(toHex('lanyard.epochs.1'))

/** The deterministic deployment proxy, to which a 32-byte salt and the creation code are sent. */
const proxy: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Call data for the deterministic deployment proxy that deploys Ownership. Reverts if it is already deployed. */
export const ownershipDeployment = (deploymentContext: OwnershipDeploymentContext): Hex =>
  concat([ownershipSalt, ownershipCode(deploymentContext)])

/** The address of Ownership, the result of {@link ownershipDeployment}, on every network. */
export const predictOwnershipAddress = (deploymentContext: OwnershipDeploymentContext): Address =>
  addressOf(ownershipSalt, ownershipCode(deploymentContext))

/** Call data for the deterministic deployment proxy that deploys SessionKeys. Reverts if it is already deployed. */
export const sessionKeysDeployment = (deploymentContext: SessionKeysDeploymentContext): Hex =>
  concat([sessionKeysSalt, sessionKeysCode(deploymentContext)])

/** The address of SessionKeys, the result of {@link sessionKeysDeployment}, on every network. */
export const predictSessionKeysAddress = (deploymentContext: SessionKeysDeploymentContext): Address =>
  addressOf(sessionKeysSalt, sessionKeysCode(deploymentContext))

export interface TokenPaymasterDeploymentContext {
  /** EntryPoint v0.7 or v0.8. */
  readonly entryPoint: Address
  /** Whose owner and operators count. */
  readonly smartBalance: Address
}

/** EntryPoint v0.8, the same on every chain: it charges unused call gas before `postOp`. */
const entryPointV08: Address = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'

const tokenPaymasterCode = ({ entryPoint, smartBalance }: TokenPaymasterDeploymentContext): Hex =>
  encodeDeployData({
    abi: tokenPaymasterAbi,
    bytecode: tokenPaymasterBytecode,
    args: [entryPoint, smartBalance, !isAddressEqual(entryPoint, entryPointV08)],
  })

/** Call data for the deterministic deployment proxy that deploys TokenPaymaster. Reverts if it is already deployed. */
export const tokenPaymasterDeployment = (deploymentContext: TokenPaymasterDeploymentContext): Hex =>
  concat([tokenPaymasterSalt, tokenPaymasterCode(deploymentContext)])

/** Bundlers ask for each operation, and the creation code has kilobytes. */
const tokenPaymasters = new Map<string, Address>()

/** The address of TokenPaymaster for an EntryPoint, the same on every network with the same SmartBalance. */
export function predictTokenPaymasterAddress(deploymentContext: TokenPaymasterDeploymentContext): Address {
  const { entryPoint, smartBalance } = deploymentContext
  const key = `${entryPoint} ${smartBalance}`.toLowerCase()
  const known = tokenPaymasters.get(key)
  if (known) return known
  const address = addressOf(tokenPaymasterSalt, tokenPaymasterCode(deploymentContext))
  tokenPaymasters.set(key, address)
  return address
}

/** Call data for the deterministic deployment proxy that deploys Epochs. Reverts if it is already deployed. */
export const epochsDeployment: Hex = concat([epochsSalt, epochsBytecode])

const addressOf = (salt: Hex, bytecode: Hex): Address =>
  getContractAddress({ opcode: 'CREATE2', from: proxy, salt, bytecode })

/** The address of Epochs, which has no arguments, on every network. */
export const epochsAddress: Address = addressOf(epochsSalt, epochsBytecode)
