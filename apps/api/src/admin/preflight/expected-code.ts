import type { Network } from '@lanyard/networks'
import {
  attestorSetAbi,
  attestorSetBytecode,
  epochsAddress,
  smartBalanceBytecode,
  smartBalanceDeployerAddress,
} from '@lanyard/onchain'
import {
  type Address,
  encodeAbiParameters,
  encodeDeployData,
  type Hex,
  numberToHex,
  type StateOverride,
  zeroAddress,
} from 'viem'
import { codeThatReturns } from './code-that-returns.ts'

/**
 * The code that a constructor would produce at an address on this chain, including immutables. It runs in one
 * eth_call, with the creation code as an override of the address's code. Nothing is sent.
 */
export async function runConstructor(
  network: Network,
  address: Address,
  creationCode: Hex,
  { from, overrides = [] }: { from?: Address; overrides?: StateOverride } = {},
): Promise<Hex> {
  const { data = '0x' } = await network.call((client) =>
    client.call({
      ...(from && { account: from }),
      to: address,
      stateOverride: [{ address, code: creationCode }, ...overrides],
    }),
  )
  return data
}

/**
 * SmartBalance of this version for a token and its related contracts; its constructor reads the arguments
 * from its deployer.
 */
export function expectedSmartBalance(
  network: Network,
  address: Address,
  { token, entryPoint, module }: { token: Address; entryPoint: Address; module: Address },
): Promise<Hex> {
  const someone: Address = '0x0000000000000000000000000000000000000001' // owner and verifier are not in the code
  const parameters = encodeAbiParameters(
    Array.from({ length: 6 }, () => ({ type: 'address' })),
    [token, entryPoint, module, someone, someone, epochsAddress],
  )
  return runConstructor(network, address, smartBalanceBytecode, {
    from: smartBalanceDeployerAddress,
    overrides: [{ address: smartBalanceDeployerAddress, code: codeThatReturns(parameters) }],
  })
}

/** AttestorSet of this version; its code contains none of its arguments. */
export function expectedAttestorSet(network: Network, address: Address): Promise<Hex> {
  const members = [1n, 2n].map((number) => numberToHex(number, { size: 20 }))
  const [owner = zeroAddress] = members
  return runConstructor(
    network,
    address,
    encodeDeployData({ abi: attestorSetAbi, bytecode: attestorSetBytecode, args: [owner, members, 1n] }),
  )
}
