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

/**
 * The call that pins a new owner, on networks with a smart balance. It has no effect if the owner is already
 * pinned.
 */
export function planPin({ config: { smartBalance } }: Network, signer: OrderSigner): Call[] {
  return smartBalance ? [encodeAddSigner(smartBalance, signerId(signer))] : []
}

/**
 * The call that ends the pin of a removed owner, if the head of the chain has one: SmartBalance reverts if
 * there is no pin.
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
 * Reads which signers are pinned without an expiry, at the head of the chain.
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
