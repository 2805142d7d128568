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
import { ownershipAbi, ownershipBytecode } from './generated/Ownership.ts'

/** The contracts that Ownership works with, its constructor argument: the same on every network. */
export type OwnershipSurroundings = ContractConstructorArgs<typeof ownershipAbi>[0]

/** A different salt gives a different address; nothing else depends on it. */
const salt: Hex = keccak256(toHex('lanyard.ownership.1'))

const creationCode = (surroundings: OwnershipSurroundings): Hex =>
  encodeDeployData({ abi: ownershipAbi, bytecode: ownershipBytecode, args: [surroundings] })

/**
 * Call data for the deterministic deployment proxy 0x4e59b44847b379578588920cA78FbF26c0B4956C that deploys
 * Ownership: a 32-byte salt and the creation code. Reverts if it is already deployed.
 */
export const ownershipDeployment = (surroundings: OwnershipSurroundings): Hex =>
  concat([salt, creationCode(surroundings)])

/** The address of Ownership, the result of {@link ownershipDeployment}, on every network. */
export const predictOwnershipAddress = (surroundings: OwnershipSurroundings): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
    salt,
    bytecode: creationCode(surroundings),
  })
