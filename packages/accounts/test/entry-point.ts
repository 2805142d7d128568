import { type DevnetNode, devAccounts, localTransport, startNode } from '@lanyard/devnet'
import { type Address, createTestClient, parseEventLogs, publicActions, walletActions } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { getUserOperationHash, packUserOperation, type SignedUserOperation } from '../src/index.ts'

/** anvil's chain id. */
export const chainId = foundry.id

/** Starts a node, and a client that sends like a bundler. Disposing it stops the node. */
export async function startChain(options: { hardfork?: 'prague' } = {}) {
  const node: DevnetNode = await startNode(options)
  const [bundlerKey] = devAccounts
  if (bundlerKey === undefined) throw new TypeError('The devnet has funded accounts.')
  const bundler = privateKeyToAccount(bundlerKey.privateKey)
  const client = createTestClient({
    mode: 'anvil',
    account: bundler,
    chain: foundry,
    transport: localTransport(node.rpcUrl),
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)

  return {
    client,
    rpcUrl: node.rpcUrl,
    /** An ERC-20 that anyone may `mint(address,uint256)`. */
    token: node.settlementToken.address,
    [Symbol.asyncDispose]: () => node.stop(),

    fund: (address: Address, value = 10n ** 18n) => client.setBalance({ address, value }),

    nonceOf: (sender: Address) =>
      client.readContract({
        address: entryPoint07Address,
        abi: entryPoint07Abi,
        functionName: 'getNonce',
        args: [sender, 0n],
      }),

    /** Bundles one operation and returns the result according to EntryPoint's events. Throws if `handleOps` reverts. */
    async handleOps(operation: SignedUserOperation) {
      // Simulated first: only a call returns EntryPoint's FailedOp; a reverted transaction does not.
      const { request } = await client.simulateContract({
        address: entryPoint07Address,
        abi: entryPoint07Abi,
        functionName: 'handleOps',
        args: [[packUserOperation(operation)], bundler.address],
        gas: 5_000_000n,
      })
      const hash = await client.writeContract(request)
      const receipt = await client.waitForTransactionReceipt({ hash })
      const logs = parseEventLogs({ abi: entryPoint07Abi, logs: receipt.logs })
      const event = logs.find((log) => log.eventName === 'UserOperationEvent')
      const revert = logs.find((log) => log.eventName === 'UserOperationRevertReason')
      return {
        status: receipt.status,
        gasUsed: receipt.gasUsed,
        actualGasUsed: event?.args.actualGasUsed,
        success: event?.args.success,
        revertReason: revert?.args.revertReason,
        isNamed: event?.args.userOpHash === getUserOperationHash(operation, { chainId }),
      }
    },
  }
}
