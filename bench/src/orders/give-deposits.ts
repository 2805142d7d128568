import type { DevnetNetwork } from '@lanyard/devnet'
import { type PrivateKeyAccount, parseAbi } from 'viem'
import { accountOf, createChain, fund } from '../wallets/chain.ts'
import type { Client } from './client.ts'

const tokenAbi = parseAbi(['function mint(address to, uint256 amount)'])

/** Blocks on top of which a local network calls a block final. */
const untilFinal = 4

/**
 * Gives accounts a deposit each on some networks, as their owners make it: on the way they are deployed there.
 *
 * @param amount 6 decimals
 */
export async function giveDeposits(
  client: Client,
  networks: readonly DevnetNetwork[],
  owners: readonly PrivateKeyAccount[],
  amount: bigint,
): Promise<void> {
  for (const owner of owners) await client.create(owner)
  for (const { chainId, rpcUrl, settlementToken } of networks) {
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
}
