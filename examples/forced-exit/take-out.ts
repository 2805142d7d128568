import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeFinalizeExit, encodeRequestExit } from '@lanyard/smart-balance'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  formatUnits,
  http,
  type PrivateKeyAccount,
} from 'viem'
import { type Sending, sendOperation } from './send-operation.ts'

/** EntryPoint v0.7, the same on every chain. */
const entryPointV07: Address = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'

/** A network of NETWORKS_FILE, as far as it matters here. */
export interface ExitNetwork {
  readonly chainId: number
  readonly name: string
  readonly rpcUrls: readonly string[]
  readonly smartBalance?: Address
  readonly entryPoint?: Address
}

export interface ExitOptions {
  readonly owner: PrivateKeyAccount
  readonly payer: PrivateKeyAccount
  readonly account: Address
  readonly to: Address
}

/**
 * Does what comes next on one network: asks for the exit of the whole balance, or takes out an exit whose delay has
 * passed, by the chain's clock.
 *
 * @returns what it did, in words
 */
export async function takeOut(
  network: ExitNetwork,
  { owner, payer, account, to }: ExitOptions,
): Promise<string> {
  const { smartBalance, entryPoint = entryPointV07 } = network
  if (!smartBalance) return 'has no smart balance'
  const chain = defineChain({
    id: network.chainId,
    name: network.name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: network.rpcUrls } },
  })
  const transport = http(network.rpcUrls[0])
  const publicClient = createPublicClient({ chain, transport, pollingInterval: 500 })
  const [[balance, exiting, readyAt], { timestamp }] = await Promise.all([
    publicClient.readContract({
      address: smartBalance,
      abi: smartBalanceAbi,
      functionName: 'accounts',
      args: [account],
    }),
    publicClient.getBlock(),
  ])
  const sending: Omit<Sending, 'call'> = {
    publicClient,
    payer: createWalletClient({ account: payer, chain, transport }),
    entryPoint,
    owner,
    account,
  }
  if (balance === 0n) return 'nothing is left'
  if (exiting > 0n && timestamp >= BigInt(readyAt)) {
    const hash = await sendOperation({ ...sending, call: encodeFinalizeExit(smartBalance, to) })
    return `${inTokens(exiting)} taken out, to ${to} (${hash})`
  }
  if (exiting > 0n) return `${inTokens(exiting)} can be taken out from ${toDate(readyAt)} on`
  const hash = await sendOperation({ ...sending, call: encodeRequestExit(smartBalance, balance) })
  return `the exit of ${inTokens(balance)} is asked for; run this again in 7 days (${hash})`
}

const inTokens = (amount: bigint) => `${formatUnits(amount, 6)} tokens`
const toDate = (seconds: number) => new Date(seconds * 1000).toISOString()
