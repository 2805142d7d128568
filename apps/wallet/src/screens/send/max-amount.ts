import type { Address } from 'viem'
import { trpc } from '../../api/trpc.ts'

/**
 * The largest native amount that leaves enough for the fee. The current fee is increased by a quarter, since
 * it can change until the operation is built.
 *
 * @returns wei; 0 if the balance does not cover the fee
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
