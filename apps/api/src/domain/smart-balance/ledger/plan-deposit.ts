import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { encodeAddSigner, encodeDeposit, signerId } from '@lanyard/smart-balance'
import { erc20Abi } from 'viem'
import type { Wallet } from '../../accounts/accounts/wallet.ts'
import { getSmartBalance } from '../get-smart-balance.ts'
import { findOrderSigners } from '../quotes/order-signer.ts'
import type { SmartBalanceServices } from '../services.ts'
import { readPins } from './plan-pins.ts'
import { requireAmount } from './require-amount.ts'

/**
 * The calls that deposit, according to the head of the chain: approve, deposit, and a pin for each owner
 * there who can sign orders and is not pinned, the first owner first.
 *
 * @param amount - 6 decimals
 * @throws NO_SMART_BALANCE, AMOUNT_REFUSED, INSUFFICIENT_FUNDS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function planDeposit(
  { database }: Pick<SmartBalanceServices, 'database'>,
  {
    wallet,
    network,
    amount,
  }: { readonly wallet: Wallet; readonly network: Network; readonly amount: bigint },
): Promise<Call[]> {
  const { address: smartBalance, token, scale } = getSmartBalance(network)
  requireAmount(amount)
  const [held, signers] = await Promise.all([
    network.call((client) =>
      client.readContract({
        address: token.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [wallet.address],
      }),
    ),
    findOrderSigners(database, network, wallet),
  ])
  if (held < amount * scale) {
    throw new LanyardError('INSUFFICIENT_FUNDS', {
      message: `The account has ${held / scale} on ${network.config.name}, in units of 6 decimals, and cannot deposit ${amount}.`,
      details: {
        network: network.chainId,
        available: String(held / scale),
        missing: String(amount - held / scale),
      },
    })
  }
  const ids = signers.map(signerId)
  const isPinned = await readPins(network, wallet.address, ids)
  const unpinned = ids.filter((_, index) => !isPinned[index])
  return [
    ...encodeDeposit({ token: token.address, smartBalance, amount, decimals: token.decimals }),
    ...unpinned.map((signer) => encodeAddSigner(smartBalance, signer)),
  ]
}
