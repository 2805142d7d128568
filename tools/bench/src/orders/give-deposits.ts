import { setTimeout as delay } from 'node:timers/promises'
import type { DevnetNetwork } from '@lanyard/devnet'
import { type PrivateKeyAccount, parseAbi } from 'viem'
import { accountOf, createChain, fund } from '../wallets/chain.ts'
import type { Client } from './client.ts'

const tokenAbi = parseAbi(['function mint(address to, uint256 amount)'])

/** Number of blocks after which a local network finalizes a block. */
const untilFinal = 4

/** Milliseconds to wait until a deposit counts. */
const finalBound = 30_000

/**
 * Makes a deposit for each account on some networks, as its owner would. This also deploys the accounts
 * there.
 *
 * @param amount - with 6 decimals
 */
export async function giveDeposits(
  client: Client,
  networks: readonly DevnetNetwork[],
  owners: readonly PrivateKeyAccount[],
  amount: bigint,
): Promise<void> {
  for (const owner of owners) await client.create(owner)
  const giveOn = async ({ chainId, rpcUrl, settlementToken }: DevnetNetwork) => {
    const chain = createChain(rpcUrl)
    await fund(chain, owners)
    let nonce = await chain.getTransactionCount({ address: chain.account.address })
    for (const owner of owners) {
      const hash = await chain.writeContract({
        address: settlementToken.address,
        abi: tokenAbi,
        functionName: 'mint',
        args: [accountOf(owner), amount * 10n ** BigInt(settlementToken.decimals - 6)],
        chain: null,
        nonce: nonce++,
      })
      await chain.waitForTransactionReceipt({ hash })
    }
    await Promise.all(owners.map((owner) => client.deposit(owner, chainId, amount)))
    await chain.mine({ blocks: untilFinal })
  }
  await Promise.all(networks.map(giveOn))
  for (const owner of owners) await untilCounted(client, owner, amount * BigInt(networks.length))
}

/** Waits until deposits count: they must be final, and every network must answer. */
async function untilCounted(client: Client, owner: PrivateKeyAccount, sum: bigint): Promise<void> {
  for (const deadline = performance.now() + finalBound; performance.now() < deadline; await delay(100)) {
    const { netBalance } = await client.getBalance(owner)
    if (netBalance === String(sum)) return
  }
  throw new Error(`The deposits of ${owner.address} do not count`)
}
