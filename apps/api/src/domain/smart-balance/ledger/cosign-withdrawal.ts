import { randomBytes } from 'node:crypto'
import type { OrderRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type CosignedWithdrawal, getWithdrawalTypedData, maxValidity } from '@lanyard/smart-balance'
import { bytesToHex, type Hash, hashTypedData } from 'viem'
import type { Wallet } from '../../accounts/accounts/wallet.ts'
import { getSmartBalance } from '../get-smart-balance.ts'
import { operatorOf } from '../operator.ts'
import { reservationSeconds } from '../orders/reservation-time.ts'
import type { SmartBalanceServices } from '../services.ts'

export interface CosignedPlan {
  readonly withdrawal: CosignedWithdrawal
  /** EIP-712 digest, the key of `usedWithdrawal`. */
  readonly digest: Hash
}

/**
 * The operator's co-signature for the amount that an order takes of the account's own deposit. It is valid as
 * long as an operation that is built in the last second of the reservation.
 *
 * Must not be called inside a transaction: the signer may be a remote service.
 *
 * @param head - Unix seconds, of the output network's head: its clock decides about the deadline
 */
export async function cosignWithdrawal(
  services: Pick<SmartBalanceServices, 'env' | 'keys'>,
  { wallet, network }: { readonly wallet: Wallet; readonly network: Network },
  { withdrawal_amount: amount, withdrawal_fee: fee }: OrderRow,
  head: number,
): Promise<CosignedPlan> {
  const terms = {
    to: wallet.address,
    amount,
    fee,
    salt: bytesToHex(randomBytes(32)),
    deadline: head + reservationSeconds + maxValidity,
  }
  const typedData = getWithdrawalTypedData({
    ...terms,
    account: wallet.address,
    chainId: network.chainId,
    smartBalance: getSmartBalance(network).address,
  })
  const signature = await operatorOf(services, network).signTypedData(typedData)
  return { withdrawal: { ...terms, signature }, digest: hashTypedData(typedData) }
}
