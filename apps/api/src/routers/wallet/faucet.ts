import { setTimeout } from 'node:timers/promises'
import { endpoints, LanyardError } from '@lanyard/contracts'
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
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { implement } from '../../pipeline/implement.ts'

const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])
const nativeAmount = parseEther('1')
const tokenAmount = 100n

/** Milliseconds for which an answer waits until both transactions are mined, and between two checks. */
const maxWait = 5_000
const pause = 100

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
  await setTimeout(pause)
  return waitUntilMined(reader, hash, deadline)
}

export const faucet = implement(endpoints.wallet.faucet, async (input, { services }) => {
  const network = services.networks.get(input.network)
  const { local, settlementToken } = network.config
  if (!local) throw new LanyardError('FORBIDDEN', { message: 'The faucet is for local networks only.' })
  const { address } = await findWallet(services.database, input.walletAddress)
  const deadline = Date.now() + maxWait
  const funded = await network.call(async (reader) => {
    const client = createWalletClient({
      account: faucetAccount(),
      transport: custom(reader, { retryCount: 0 }),
    })
    const funding = await client.sendTransaction({ chain: null, to: address, value: nativeAmount })
    // A nonce of the faucet is used before the next transaction takes one. If blocks are mined, the money is
    // there when this answers.
    await waitUntilMined(reader, funding, deadline)
    if (!settlementToken) return { native: String(nativeAmount), token: '0', txnHashes: [funding] }
    const token = tokenAmount * 10n ** BigInt(settlementToken.decimals)
    const minting = await client.writeContract({
      chain: null,
      address: settlementToken.address,
      abi: mintAbi,
      functionName: 'mint',
      args: [address, token],
    })
    await waitUntilMined(reader, minting, deadline)
    return { native: String(nativeAmount), token: String(token), txnHashes: [funding, minting] }
  })
  services.sharedReads.clear()
  return funded
})
