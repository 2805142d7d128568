import { setTimeout } from 'node:timers/promises'
import { endpoints, LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import {
  createWalletClient,
  custom,
  type Hash,
  type PublicClient,
  parseAbi,
  parseEther,
  TransactionReceiptNotFoundError,
} from 'viem'
import { faucetAccount } from '../../domain/accounts/accounts/faucet-account.ts'
import { findAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import { implement } from '../../pipeline/implement.ts'

const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])
const nativeAmount = parseEther('1')
const tokenAmount = 100n

/** Milliseconds for which an answer waits until both transactions are mined, and between two checks. */
const maxWait = 10_000
const pollInterval = 100

/**
 * Waits for a receipt until the deadline. A network that mines no blocks gets its answer too: the hashes say
 * what was sent.
 */
async function waitUntilMined(reader: PublicClient, hash: Hash, deadline: number): Promise<void> {
  const receipt = await reader.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  })
  if (receipt || Date.now() > deadline) return
  await setTimeout(pollInterval)
  return waitUntilMined(reader, hash, deadline)
}

const lastSends = new WeakMap<Network, Promise<unknown>>()

/**
 * Runs sends on one network one after another. Each takes the next nonce from the node, which knows what is in
 * its pool. A nonce that this process remembers would be too high for a chain that was started from scratch.
 */
function runSerially<T>(network: Network, send: () => Promise<T>): Promise<T> {
  const sent = Promise.resolve(lastSends.get(network)).then(send)
  lastSends.set(
    network,
    sent.catch(() => undefined),
  )
  return sent
}

export const faucet = implement(endpoints.wallet.faucet, async (input, { services }) => {
  const network = services.networks.get(input.network)
  const { local, settlementToken } = network.config
  if (!local) throw new LanyardError('FORBIDDEN', { message: 'The faucet is for local networks only.' })
  const { address } = await findAnyWallet(services.database, input)
  const token = settlementToken ? tokenAmount * 10n ** BigInt(settlementToken.decimals) : 0n
  const txnHashes = await network.call(async (reader) => {
    const client = createWalletClient({
      account: faucetAccount(),
      transport: custom(reader, { retryCount: 0 }),
    })
    const hashes = await runSerially(network, async () => {
      const funding = await client.sendTransaction({ chain: null, to: address, value: nativeAmount })
      if (!settlementToken) return [funding]
      const minting = await client.writeContract({
        chain: null,
        address: settlementToken.address,
        abi: mintAbi,
        functionName: 'mint',
        args: [address, token],
      })
      return [funding, minting]
    })
    // If blocks are mined, the money is there when this answers.
    const deadline = Date.now() + maxWait
    await Promise.all(hashes.map((hash) => waitUntilMined(reader, hash, deadline)))
    return hashes
  })
  services.sharedReads.clear()
  return { native: String(nativeAmount), token: String(token), txnHashes }
})
