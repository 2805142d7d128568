import { multiSendAbi, safeAbi, safeModuleSetupAbi, safeProxyFactoryAbi } from '@lanyard/onchain'
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  type Hex,
  keccak256,
  type PublicClient,
  size,
  toHex,
  zeroAddress,
} from 'viem'
import { canonicalAddresses as addresses } from '../src/index.ts'

/** A Safe with one owner and the 4337 module; `configure` runs on the shared signer during set-up. */
export async function safeOf(publicClient: PublicClient, owner: Address, configure?: Hex) {
  const enableModules = encodeFunctionData({
    abi: safeModuleSetupAbi,
    functionName: 'enableModules',
    args: [[addresses.safe4337Module]],
  })
  const setup = configure
    ? {
        to: addresses.multiSend,
        data: delegateCalls([addresses.safeModuleSetup, enableModules], [owner, configure]),
      }
    : { to: addresses.safeModuleSetup, data: enableModules }
  const initializer = encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [[owner], 1n, setup.to, setup.data, addresses.safe4337Module, zeroAddress, 0n, zeroAddress],
  })
  const proxyCreationCode = await publicClient.readContract({
    address: addresses.safeProxyFactory,
    abi: safeProxyFactoryAbi,
    functionName: 'proxyCreationCode',
  })
  const safe = getContractAddress({
    opcode: 'CREATE2',
    from: addresses.safeProxyFactory,
    salt: keccak256(concat([keccak256(initializer), toHex(0n, { size: 32 })])),
    bytecode: concat([
      proxyCreationCode,
      encodeAbiParameters([{ type: 'address' }], [addresses.safeSingleton]),
    ]),
  })
  const initCall = encodeFunctionData({
    abi: safeProxyFactoryAbi,
    functionName: 'createProxyWithNonce',
    args: [addresses.safeSingleton, initializer, 0n],
  })
  return { safe, initCall }
}

function delegateCalls(...calls: [to: Address, data: Hex][]): Hex {
  const transactions = calls.map(([to, data]) =>
    encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [1, to, 0n, BigInt(size(data)), data]),
  )
  return encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args: [concat(transactions)] })
}
