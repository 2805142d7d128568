import { packUserOperation, type SignedUserOperation } from '@lanyard/accounts'
import {
  devAccounts,
  devRoles,
  localTransport,
  type RunningNetwork,
  smartBalanceAddress,
  startDevnet,
} from '@lanyard/devnet'
import { devTokenAbi, smartBalanceAbi } from '@lanyard/onchain'
import { type Address, createTestClient, parseEventLogs, publicActions, walletActions } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

export const operator = privateKeyToAccount(devRoles.operator.privateKey)
export const settler = privateKeyToAccount(devRoles.settler.privateKey)
export const attestors = devRoles.attestors.map(({ privateKey }) => privateKeyToAccount(privateKey))

/** The output network, and a source whose token has different decimals if the devnet has one. */
export async function startChains() {
  const devnet = await startDevnet({ chainIds: [31337, 31338] })
  const [output, source] = devnet.networks.map(connect)
  if (!output || !source) throw new TypeError('startDevnet returns one network per chain id')
  return { output, source, [Symbol.asyncDispose]: () => devnet.stop() }
}

export type TestChain = ReturnType<typeof connect>

function connect({ chainId, rpcUrl, settlementToken }: RunningNetwork) {
  const [bundlerKey] = devAccounts
  if (!bundlerKey) throw new TypeError('The devnet has funded accounts')
  const client = createTestClient({
    mode: 'anvil',
    account: privateKeyToAccount(bundlerKey.privateKey),
    chain: { ...foundry, id: chainId },
    transport: localTransport(rpcUrl),
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
  const smartBalance = { address: smartBalanceAddress, abi: smartBalanceAbi } as const

  return {
    chainId,
    client,
    settlementToken,
    smartBalance,

    /** Provides native coin for gas, and tokens in 6-decimal units. */
    async fund(account: Address, amount: bigint) {
      await client.setBalance({ address: account, value: 10n ** 18n })
      const hash = await client.writeContract({
        address: settlementToken.address,
        abi: devTokenAbi,
        functionName: 'mint',
        args: [account, amount * 10n ** BigInt(settlementToken.decimals - 6)],
      })
      await client.waitForTransactionReceipt({ hash })
    },

    balanceOf: (account: Address) =>
      client.readContract({
        address: settlementToken.address,
        abi: devTokenAbi,
        functionName: 'balanceOf',
        args: [account],
      }),

    nonceOf: (account: Address) =>
      client.readContract({
        address: entryPoint07Address,
        abi: entryPoint07Abi,
        functionName: 'getNonce',
        args: [account, 0n],
      }),

    /** Bundles one operation and returns SmartBalance's events. Throws if `handleOps` reverts. */
    async handleOps(operation: SignedUserOperation) {
      const { request } = await client.simulateContract({
        address: entryPoint07Address,
        abi: entryPoint07Abi,
        functionName: 'handleOps',
        args: [[packUserOperation(operation)], client.account.address],
        gas: 10_000_000n,
      })
      const hash = await client.writeContract(request)
      const { logs } = await client.waitForTransactionReceipt({ hash })
      const [event] = parseEventLogs({ abi: entryPoint07Abi, logs, eventName: 'UserOperationEvent' })
      return { success: event?.args.success, events: parseEventLogs({ abi: smartBalanceAbi, logs }) }
    },
  }
}
