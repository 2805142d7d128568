import { endpoints, LanyardError } from '@lanyard/contracts'
import { createWalletClient, custom, parseAbi, parseEther } from 'viem'
import { faucetAccount } from '../../domain/accounts/accounts/faucet-account.ts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { implement } from '../../pipeline/implement.ts'

const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])
const nativeAmount = parseEther('1')
const tokenAmount = 100n

/** Milliseconds in which a local network mines a transaction. */
const mined = 20_000

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
    await reader.waitForTransactionReceipt({ hash: funding, timeout: mined })
    if (!settlementToken) return { native: String(nativeAmount), token: '0', txnHashes: [funding] }
    const token = tokenAmount * 10n ** BigInt(settlementToken.decimals)
    const minting = await client.writeContract({
      chain: null,
      address: settlementToken.address,
      abi: mintAbi,
      functionName: 'mint',
      args: [address, token],
    })
    await reader.waitForTransactionReceipt({ hash: minting, timeout: mined })
    return { native: String(nativeAmount), token: String(token), txnHashes: [funding, minting] }
  })
  services.sharedReads.clear()
  return funded
})
