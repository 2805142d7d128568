import {
  type Address,
  type ContractConstructorArgs,
  concat,
  encodeDeployData,
  getContractAddress,
  type Hex,
  keccak256,
  toHex,
} from 'viem'
import { epochsBytecode } from './generated/Epochs.ts'
import { ownershipAbi, ownershipBytecode } from './generated/Ownership.ts'
import { sessionKeysAbi, sessionKeysBytecode } from './generated/SessionKeys.ts'

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

/** Call data for the deterministic deployment proxy that deploys Epochs. Reverts if it is already deployed. */
export const epochsDeployment: Hex = concat([epochsSalt, epochsBytecode])

const addressOf = (salt: Hex, bytecode: Hex): Address =>
  getContractAddress({ opcode: 'CREATE2', from: proxy, salt, bytecode })

/** The address of Epochs, which has no arguments, on every network. */
export const epochsAddress: Address = addressOf(epochsSalt, epochsBytecode)
