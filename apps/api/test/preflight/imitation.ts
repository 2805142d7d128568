import { defaultDeployment, sessionKeysDeploymentContext } from '@lanyard/accounts'
import { type DevnetNode, localTransport, settlementTokenAddress, startNode } from '@lanyard/devnet'
import { createNetworks, networkConfig, type PresetName } from '@lanyard/networks'
import {
  deploySmartBalance,
  deterministicDeployer,
  devTokenAbi,
  predictSessionKeysAddress,
  predictSmartBalanceAddress,
  sessionKeysDeployment,
  smartBalanceDeployerAddress,
} from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import {
  type Address,
  createTestClient,
  createWalletClient,
  type Hex,
  parseEther,
  publicActions,
  type TransactionReceipt,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { feedCode } from '../price-feed.ts'

const account = () => privateKeyToAccount(randomPrivateKey())

/** Keys that are not public: a real network rejects the public development keys. */
export const people = {
  owner: account(),
  operator: account(),
  settler: account(),
  relayer: account(),
  attestors: [account(), account(), account(), account()],
}

/** The key holders as the service reports them. */
export const holders = {
  relayers: [people.relayer.address],
  operators: [people.operator.address],
  settlers: [people.settler.address],
  attestors: people.attestors.map(({ address }) => address),
}

const smartBalance = predictSmartBalanceAddress(people.owner.address)

/** The local token in place of USDC, which is Circle's contract. */
export const settlementToken = { address: settlementTokenAddress, symbol: 'USDC', decimals: 6 }

/** A round of a price feed. */
export const round = (more: object = {}) => ({
  answer: 2_500_00000000n,
  updatedAt: Math.floor(Date.now() / 1000),
  description: 'ETH / USD',
  ...more,
})

/** A local chain with the id of a real one, the contracts of the service, and a proxy in front. */
export type Imitation = Awaited<ReturnType<typeof imitate>>

export interface ImitateOptions {
  readonly hardfork?: 'prague'
  /** Extra members of the network configuration. */
  readonly more?: object
  /** Fake code of the network's own contracts. */
  readonly code?: readonly { readonly address: Address; readonly bytecode: Hex }[]
  readonly coin?: string
}

/** Starts a chain that imitates the network of a preset, and deploys the contracts to it as an operator does. */
export async function imitate(preset: PresetName, options: ImitateOptions = {}) {
  const stack = new AsyncDisposableStack()
  const { chainId, nativePrice } = networkConfig.parse({ preset, rpcUrls: ['http://127.0.0.1'] })
  const { hardfork, more = {}, code = [], coin = 'ETH' } = options
  const node: DevnetNode = stack.use(await startNode({ chainId, ...(hardfork && { hardfork }) }))
  const proxy: RpcProxy = stack.use(await startRpcProxy(node.rpcUrl))
  const chain = createTestClient({
    mode: 'anvil',
    transport: localTransport(node.rpcUrl),
    cacheTime: 0,
    pollingInterval: 10,
  })
    .extend(publicActions)
    .extend(walletActions)
  const wallet = createWalletClient({ account: people.owner, transport: localTransport(node.rpcUrl) })

  for (const { address } of [people.owner, people.operator, people.settler, people.relayer])
    await chain.setBalance({ address, value: parseEther('1000') })
  if (nativePrice?.kind !== 'chainlink') throw new TypeError('Presets have feeds')
  const { feed } = nativePrice
  await chain.setCode({ address: feed, bytecode: feedCode(round({ description: `${coin} / USD` })) })
  for (const { address, bytecode } of code) await chain.setCode({ address, bytecode })
  await sent(
    wallet.writeContract({
      chain: null,
      address: settlementToken.address,
      abi: devTokenAbi,
      functionName: 'mint',
      args: [people.owner.address, 100_000_000_000n],
    }),
  )
  await deploySmartBalance(chain, wallet, {
    owner: people.owner.address,
    token: settlementToken.address,
    entryPoint: defaultDeployment.entryPoint,
    safe4337Module: defaultDeployment.module,
    attestors: holders.attestors,
    threshold: 2,
    operators: holders.operators,
    settlers: holders.settlers,
    outflowCap: 5_000_000_000n,
    gasDeposit: parseEther('10'),
    stake: parseEther('1'),
    liquidity: 50_000_000_000n,
  })
  // Two names of one node count as two origins.
  const rpcUrls = [proxy.url, `http://localhost:${proxy.port}`]
  const entry = {
    preset,
    rpcUrls,
    attestorRpcUrls: ['https://third.example', 'https://fourth.example.net'],
    settlementToken,
    smartBalance,
    pollingInterval: 50,
    ...more,
  }
  const deploymentContext = sessionKeysDeploymentContext(networkConfig.parse(entry))
  const sessionKeys = predictSessionKeysAddress(deploymentContext)
  await sent(
    wallet.sendTransaction({
      chain: null,
      to: deterministicDeployer,
      data: sessionKeysDeployment(deploymentContext),
    }),
  )

  // anvil cannot read the state of its first block, which would be the final one: on Arbitrum 20 blocks are 5 s.
  await chain.mine({ blocks: 24 })

  async function sent(sending: Promise<Hex>): Promise<TransactionReceipt> {
    const receipt = await chain.waitForTransactionReceipt({ hash: await sending })
    if (receipt.status !== 'success') throw new TypeError('A set-up transaction reverted')
    return receipt
  }

  return {
    preset,
    chainId,
    chain,
    proxy,
    /** The node without its proxy, which counts as another origin. */
    direct: node.rpcUrl.replace('127.0.0.1', 'localhost'),
    rpcUrls,
    wallet,
    feed,
    coin,
    smartBalance,
    sessionKeys,
    deployer: smartBalanceDeployerAddress,
    sent,
    /** An entry of the networks file; undefined removes a member. */
    entry: (changes: object = {}): object =>
      Object.fromEntries(
        Object.entries({ ...entry, sessionKeys, ...changes }).filter(([, value]) => value !== undefined),
      ),
    /** Creates a registry for each call, because a registry caches answers. */
    network: (changes: object = {}) => {
      const given = Object.fromEntries(
        Object.entries({ ...entry, sessionKeys, ...changes }).filter(([, value]) => value !== undefined),
      )
      return createNetworks([networkConfig.parse(given)]).get(chainId)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
