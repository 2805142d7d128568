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

/** Milliseconds in which a local network mines a transaction, and between two checks. */
const mined = 20_000
const pause = 100

/** @throws NETWORK_UNAVAILABLE if the network has no receipt in time */
async function waitUntilMined(
  reader: PublicClient,
  hash: Hash,
  deadline = Date.now() + mined,
): Promise<void> {
  const receipt = await reader.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  })
  if (receipt) return
  if (Date.now() > deadline) throw new LanyardError('NETWORK_UNAVAILABLE', { message: 'No block was mined.' })
  await setTimeout(pause)
  return waitUntilMined(reader, hash, deadline)
}

export const faucet = implement(endpoints.wallet.faucet, async (input, { services }) => {
  const network = services.networks.get(input.network)
  const { local, settlementToken } = network.config
  if (!local) throw new LanyardError('FORBIDDEN', { message: 'The faucet is for local networks only.' })
  const { address } = await findWallet(services.database, input.walletAddress)
  const funded = await network.call(async (reader) => {
    const client = createWalletClient({
      account: faucetAccount(),
      transport: custom(reader, { retryCount: 0 }),
    })
    const funding = await client.sendTransaction({ chain: null, to: address, value: nativeAmount })
    // A nonce of the faucet is used before the next transaction takes one, and the money is there when this answers.
    await waitUntilMined(reader, funding)
    if (!settlementToken) return { native: String(nativeAmount), token: '0', txnHashes: [funding] }
    const token = tokenAmount * 10n ** BigInt(settlementToken.decimals)
    const minting = await client.writeContract({
      chain: null,
      address: settlementToken.address,
      abi: mintAbi,
      functionName: 'mint',
      args: [address, token],
    })
    await waitUntilMined(reader, minting)
    return { native: String(nativeAmount), token: String(token), txnHashes: [funding, minting] }
  })
  services.sharedReads.clear()
  return funded
})
