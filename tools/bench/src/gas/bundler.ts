import { packUserOperation, type SignedUserOperation } from '@lanyard/accounts'
import { settlementTokenAddress, startNode } from '@lanyard/devnet'
import { type Address, parseAbi, parseEventLogs } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { createChain, devAccount } from '../wallets/chain.ts'

/** The cost of one operation that is alone in its bundle. */
export interface GasUsed {
  /** Gas of the transaction, which the bundler pays. */
  readonly gasUsed: number
  /** Gas in `UserOperationEvent`, which the account is charged for. */
  readonly actualGasUsed: number
}

/** Starts a separate chain whose first account sends the bundles. */
export async function startBundler() {
  const node = await startNode()
  const account = devAccount(0)
  const client = createChain(node.rpcUrl, account)

  return {
    client,
    [Symbol.asyncDispose]: () => node.stop(),

    fund: (address: Address) => client.setBalance({ address, value: 10n ** 18n }),

    async fundWithToken(address: Address, amount = 1_000n): Promise<void> {
      const hash = await client.writeContract({
        ...{ address: settlementTokenAddress, abi: parseAbi(['function mint(address to, uint256 amount)']) },
        functionName: 'mint',
        args: [address, amount],
      })
      await client.waitForTransactionReceipt({ hash })
    },

    /**
     * Sends `handleOps` with only this operation. Throws if EntryPoint rejects it or one of its calls
     * reverts.
     */
    async bundle(operation: SignedUserOperation): Promise<GasUsed> {
      const { request } = await client.simulateContract({
        address: operation.entryPoint ?? entryPoint07Address,
        abi: entryPoint07Abi,
        functionName: 'handleOps',
        args: [[packUserOperation(operation)], account.address],
        gas: 5_000_000n,
        ...(operation.authorization && { authorizationList: [operation.authorization] }),
      })
      const receipt = await client.waitForTransactionReceipt({ hash: await client.writeContract(request) })
      const [event] = parseEventLogs({
        abi: entryPoint07Abi,
        eventName: 'UserOperationEvent',
        logs: receipt.logs,
      })
      if (!event?.args.success) throw new Error(`The operation of ${operation.sender} failed`)
      return { gasUsed: Number(receipt.gasUsed), actualGasUsed: Number(event.args.actualGasUsed) }
    },
  }
}

export type Bundler = Awaited<ReturnType<typeof startBundler>>
