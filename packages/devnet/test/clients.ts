import { createPublicClient, createTestClient, createWalletClient, http, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devAccounts } from '../src/index.ts'

/** viem clients for one node; `owner` is one of the funded accounts. */
export function clientsOf({ rpcUrl }: { rpcUrl: string }) {
  const [first] = devAccounts
  if (!first) throw new TypeError('There are ten accounts')
  const owner = privateKeyToAccount(first.privateKey)
  const transport = http(rpcUrl)
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

/** Waits until `condition` holds; fails after 30 s. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Did not happen within 30 s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
