import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devAccounts, localTransport, settlementTokenAddress, startNode } from '@lanyard/devnet'
import { devTokenAbi, predictSmartBalanceAddress, smartBalanceAbi } from '@lanyard/onchain'
import { createTestClient, createWalletClient, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { runInProcess } from './run-in-process.ts'

export const keyAt = (index: number) => devAccounts[index]?.privateKey ?? '0x'
export const addressAt = (index: number) => devAccounts[index]?.address ?? '0x'

/** Not the owner of the local networks, so that its SmartBalance is not deployed yet. */
export const owner = privateKeyToAccount(keyAt(3))
export const smartBalance = predictSmartBalanceAddress(owner.address)

const keys = {
  DEPLOYER_PRIVATE_KEY: keyAt(3),
  OPERATOR_PRIVATE_KEY: keyAt(4),
  SETTLER_PRIVATE_KEY: keyAt(5),
  ATTESTOR_PRIVATE_KEYS: [6, 7, 8].map(keyAt).join(','),
}

const deployed = { smartBalance, nativePrice: { kind: 'fixed', price: '2500000000' } }

export const amounts = ['--outflow-cap', '500', '--liquidity', '70.5', '--gas-deposit', '1', '--stake', '0.5']

const readOnlyCommands = new Set(['list', 'status'])

/** Starts a chain without contracts of this owner, and creates a directory for networks files. */
export async function startCliChain() {
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-cli-'))
  const node = await startNode()
  const chain = createTestClient({
    mode: 'anvil',
    transport: localTransport(node.rpcUrl),
    pollingInterval: 25,
    cacheTime: 0,
  }).extend(publicActions)
  const wallet = createWalletClient({ account: owner, transport: localTransport(node.rpcUrl) })
  const mintHash = await wallet.writeContract({
    chain: null,
    address: settlementTokenAddress,
    abi: devTokenAbi,
    functionName: 'mint',
    args: [owner.address, 1_000_000_000n],
  })
  await chain.waitForTransactionReceipt({ hash: mintHash })

  async function networksFile(more: object): Promise<string> {
    const path = join(directory, `${crypto.randomUUID()}.json`)
    const { chainId, rpcUrl, settlementToken } = node
    const network = {
      chainId,
      name: 'Test',
      rpcUrls: [rpcUrl],
      settlementToken,
      pollingInterval: 25,
      ...more,
    }
    await writeFile(path, JSON.stringify({ networks: [network] }))
    return path
  }

  /** The environments before and after the contracts are deployed. */
  const envBefore = { ...keys, NETWORKS_FILE: await networksFile({ local: true }) }
  const envAfter = { ...keys, NETWORKS_FILE: await networksFile({ local: true, ...deployed }) }

  const read = <Name extends 'liquidity' | 'paused' | 'outflow'>(functionName: Name) =>
    chain.readContract({ address: smartBalance, abi: smartBalanceAbi, functionName })

  /** Adds `--network`, and `--yes` to commands that send transactions. */
  const run = (env: Readonly<Record<string, string>>, ...args: string[]) =>
    runInProcess(
      { env },
      ...args,
      '--network',
      '31337',
      ...(readOnlyCommands.has(args[1] ?? '') ? [] : ['--yes']),
    )

  return {
    node,
    chain,
    networksFile,
    envBefore,
    envAfter,
    read,
    run,
    deploy: (...args: string[]) => run(envBefore, 'deploy', ...amounts, ...args),
    transactionCount: (blockTag: 'latest' | 'pending' = 'latest') =>
      chain.getTransactionCount({ address: owner.address, blockTag }),
    async [Symbol.asyncDispose]() {
      await node.stop()
      await rm(directory, { recursive: true })
    },
  }
}

export type CliChain = Awaited<ReturnType<typeof startCliChain>>
