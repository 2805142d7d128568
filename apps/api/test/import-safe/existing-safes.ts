import { createRequire } from 'node:module'
import { defaultDeployment } from '@lanyard/accounts'
import { safeAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import {
  type Address,
  concat,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashTypedData,
  pad,
  parseEther,
  toHex,
  zeroAddress,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { startOrderService } from '../orders/order-service.ts'
import { receiptOf } from '../receipt-of.ts'

const require = createRequire(import.meta.url)

interface Artifact {
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
}

const artifacts = {
  '1.4.1': {
    safe: () => require('@safe-global/safe-contracts/build/artifacts/contracts/Safe.sol/Safe.json'),
    safeL2: () => require('@safe-global/safe-contracts/build/artifacts/contracts/SafeL2.sol/SafeL2.json'),
    proxy: () =>
      require('@safe-global/safe-contracts/build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json'),
  },
  '1.5.0': {
    safe: () => require('@safe-global/safe-smart-account/build/artifacts/contracts/Safe.sol/Safe.json'),
    safeL2: () => require('@safe-global/safe-smart-account/build/artifacts/contracts/SafeL2.sol/SafeL2.json'),
    proxy: () =>
      require('@safe-global/safe-smart-account/build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json'),
  },
} as const satisfies Record<string, Record<string, () => Artifact>>

/** Canonical addresses of github.com/safe-global/safe-deployments. */
export const safeContracts = {
  '1.4.1 L2': { singleton: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762', code: ['1.4.1', 'safeL2'] },
  '1.5.0': { singleton: '0xFf51A5898e281Db6DfC7855790607438dF2ca44b', code: ['1.5.0', 'safe'] },
  '1.5.0 L2': { singleton: '0xEdd160fEBBD92E350D4D398fb636302fccd67C7e', code: ['1.5.0', 'safeL2'] },
  // The code is of 1.4.1: what counts is the address.
  '1.3.0': { singleton: '0xd9Db270c1B5E3Bd161E8c8503c55cEABeE709552', code: ['1.4.1', 'safe'] },
} as const satisfies Record<
  string,
  { readonly singleton: Address; readonly code: readonly [keyof typeof artifacts, 'safe' | 'safeL2'] }
>

/** CompatibilityFallbackHandler 1.4.1, which Safe's own tools set. */
export const compatibilityHandler: Address = '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99'

export interface SafeOptions {
  readonly version?: '1.4.1' | keyof typeof safeContracts
  readonly owners?: readonly Address[]
  readonly threshold?: bigint
  readonly handler?: Address
}

/** Starts the service on two local networks, and deploys Safes there as other programs do. */
export async function startImportService(options: Parameters<typeof startOrderService>[0] = {}) {
  const service = await startOrderService({ chainIds: [31337, 31338], ...options })
  const { rest } = service

  /** An EOA that has sent a transaction, so that it is known as a key. */
  async function newKey(): Promise<PrivateKeyAccount> {
    const key = privateKeyToAccount(randomPrivateKey())
    for (const { chainId } of service.devnet.networks)
      await service.on(chainId).chain.setNonce({ address: key.address, nonce: 1 })
    return key
  }

  async function deploySafe(
    chainId: number,
    owner: Address,
    { version = '1.4.1', owners = [owner], threshold = 1n, handler = compatibilityHandler }: SafeOptions = {},
  ): Promise<Address> {
    const { chain } = service.on(chainId)
    const contract = version === '1.4.1' ? undefined : safeContracts[version]
    const singleton = contract?.singleton ?? defaultDeployment.singleton
    if (contract) {
      const [number, name] = contract.code
      const { deployedBytecode }: Artifact = artifacts[number][name]()
      await chain.setCode({ address: singleton, bytecode: deployedBytecode })
    }
    const proxy: Artifact = artifacts[contract?.code[0] ?? '1.4.1'].proxy()
    const deployer = privateKeyToAccount(randomPrivateKey()).address
    await chain.impersonateAccount({ address: deployer })
    await chain.setBalance({ address: deployer, value: parseEther('1') })
    const hash = await chain.sendTransaction({
      ...{ chain: null, account: deployer, data: concat([proxy.bytecode, pad(singleton)]), gas: 1_000_000n },
    })
    const { contractAddress } = await receiptOf(chain, hash)
    const address = getAddress(contractAddress ?? zeroAddress)
    const setUp = encodeFunctionData({
      abi: safeAbi,
      functionName: 'setup',
      args: [[...owners], threshold, zeroAddress, '0x', handler, zeroAddress, 0n, zeroAddress],
    })
    await receiptOf(
      chain,
      await chain.sendTransaction({
        chain: null,
        account: deployer,
        to: address,
        data: setUp,
        gas: 1_000_000n,
      }),
    )
    return address
  }

  /** An owner signs a Safe transaction as `import` describes it, and anyone sends it. */
  async function execute(
    chainId: number,
    address: Address,
    owner: PrivateKeyAccount,
    transaction: { to: Address; value: string; data: Hex; operation: 0 | 1; nonce: string },
  ) {
    const { chain } = service.on(chainId)
    const { to, data, operation } = transaction
    const [value, nonce] = [BigInt(transaction.value), BigInt(transaction.nonce)]
    const unpaid = {
      safeTxGas: 0n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
    }
    // Written out, so that the service's own functions are not tested by themselves.
    const hash = hashTypedData({
      domain: { chainId, verifyingContract: address },
      types: {
        SafeTx: [
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'data', type: 'bytes' },
          { name: 'operation', type: 'uint8' },
          { name: 'safeTxGas', type: 'uint256' },
          { name: 'baseGas', type: 'uint256' },
          { name: 'gasPrice', type: 'uint256' },
          { name: 'gasToken', type: 'address' },
          { name: 'refundReceiver', type: 'address' },
          { name: 'nonce', type: 'uint256' },
        ],
      },
      primaryType: 'SafeTx',
      message: { to, value, data, operation, ...unpaid, nonce },
    })
    const signature = await owner.sign({ hash })
    const call = encodeFunctionData({
      abi: safeAbi,
      functionName: 'execTransaction',
      args: [to, value, data, operation, 0n, 0n, 0n, zeroAddress, zeroAddress, signature],
    })
    const sender = privateKeyToAccount(randomPrivateKey()).address
    await chain.impersonateAccount({ address: sender })
    await chain.setBalance({ address: sender, value: parseEther('1') })
    const { status } = await receiptOf(
      chain,
      await chain.sendTransaction({ chain: null, account: sender, to: address, data: call, gas: 2_000_000n }),
    )
    return { status, safeTxHash: hash }
  }

  const importSafe = (address: Address, more: object = {}) =>
    rest.post('/smart-account/import', { walletAddress: address, ...more })

  /** Stores a word in an account, as a call of the account itself would. */
  const store = (chainId: number, address: Address, slot: bigint, value: Address) =>
    service.on(chainId).chain.setStorageAt({ address, index: toHex(slot, { size: 32 }), value: pad(value) })

  return { ...service, newKey, deploySafe, execute, importSafe, store }
}

export type ImportService = Awaited<ReturnType<typeof startImportService>>
