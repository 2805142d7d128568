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
import { sessionKeysAbi, sessionKeysBytecode } from './generated/SessionKeys.ts'

/** The contracts that SessionKeys works with, its constructor argument: the same on every network. */
export type SessionKeysSurroundings = ContractConstructorArgs<typeof sessionKeysAbi>[0]

/** A different salt gives a different address; nothing else depends on it. */
const salt: Hex = keccak256(toHex('lanyard.session-keys.1'))

const creationCode = (surroundings: SessionKeysSurroundings): Hex =>
  encodeDeployData({ abi: sessionKeysAbi, bytecode: sessionKeysBytecode, args: [surroundings] })

/**
 * Call data for the deterministic deployment proxy 0x4e59b44847b379578588920cA78FbF26c0B4956C that deploys
 * SessionKeys: a 32-byte salt and the creation code. Reverts if it is already deployed.
 */
export const sessionKeysDeployment = (surroundings: SessionKeysSurroundings): Hex =>
  concat([salt, creationCode(surroundings)])

/** The address of SessionKeys, the result of {@link sessionKeysDeployment}, on every network. */
export const predictSessionKeysAddress = (surroundings: SessionKeysSurroundings): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
    salt,
    bytecode: creationCode(surroundings),
  })
