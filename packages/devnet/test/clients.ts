import { createPublicClient, createTestClient, createWalletClient, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devAccounts, localTransport } from '../src/index.ts'

/** viem clients for one node; `owner` is one of the funded accounts. */
export function clientsOf({ rpcUrl }: { rpcUrl: string }) {
  const [first] = devAccounts
  if (!first) throw new TypeError('There are ten accounts')
  const owner = privateKeyToAccount(first.privateKey)
  const transport = localTransport(rpcUrl)
  const pollingInterval = 50
  const publicClient: PublicClient = createPublicClient({ transport, pollingInterval, cacheTime: 0 })
  return {
    owner,
    publicClient,
    testClient: createTestClient({ mode: 'anvil', transport }),
    walletClient: createWalletClient({ transport, account: owner, pollingInterval }),
  }
}

/** Whether a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
