import type { Address } from 'viem'
import { trpc } from '../../api/trpc.ts'

/**
 * The most native value that can be sent so that the fee can still be paid. The fee is asked for and raised by a
 * quarter, since it may move until the operation is built.
 *
 * @returns wei; 0 where the balance does not even cover the fee.
 */
export async function maxNativeAmount({
  account,
  chainId,
  balance,
  to,
  signal,
}: {
  account: Address
  chainId: number
  balance: bigint
  to: Address | undefined
  signal: AbortSignal
}): Promise<bigint> {
  const { result } = await trpc.smartAccount.gasFees.mutate(
    {
      network: chainId,
      walletAddress: account,
      transactionDetails: [{ targetContractAddress: to ?? account, value: '0', encodedData: '0x' }],
    },
    { signal },
  )
  const fee = (BigInt(result) * 5n) / 4n
  return balance > fee ? balance - fee : 0n
}
