import type { Call } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import {
  encodeAddSigner,
  encodeRemoveSigner,
  type OrderSigner,
  pinned,
  signerId,
} from '@lanyard/smart-balance'
import type { Address, Hex } from 'viem'

/** The call that pins a new owner, on networks that have a smart balance. It does no harm where one is pinned. */
export function planPin({ config: { smartBalance } }: Network, signer: OrderSigner): Call[] {
  return smartBalance ? [encodeAddSigner(smartBalance, signerId(signer))] : []
}

/**
 * The call that ends the pin of an owner who leaves, where the head of the chain has one: SmartBalance refuses to
 * remove what is not there.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function planUnpin(network: Network, account: Address, signer: OrderSigner): Promise<Call[]> {
  const { smartBalance } = network.config
  if (!smartBalance) return []
  const id = signerId(signer)
  const [isPinned] = await readPins(network, account, [id])
  return isPinned ? [encodeRemoveSigner(smartBalance, id)] : []
}

/**
 * Whether signers are pinned without an end, by the head of the chain.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readPins(
  network: Network,
  account: Address,
  signers: readonly Hex[],
): Promise<boolean[]> {
  const { smartBalance: address } = network.config
  if (!address) return signers.map(() => false)
  const until = await network.call((client) =>
    client.multicall({
      allowFailure: false,
      contracts: signers.map(
        (signer) =>
          ({ address, abi: smartBalanceAbi, functionName: 'signerUntil', args: [account, signer] }) as const,
      ),
    }),
  )
  return until.map((time) => BigInt(time) === pinned)
}
