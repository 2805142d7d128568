import type { WireUserOperation } from '@lanyard/accounts'
import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Hex } from 'viem'
import type { PayerHooks } from '../payer.ts'

/**
 * Unix seconds, the last one in which the chain includes an operation; 0: no expiry. Other clients sign
 * without an expiry although the paymaster sets one, and EntryPoint enforces both.
 */
export function validUntilOf(
  network: Network,
  row: OperationRow,
  { validUntil }: Pick<PayerHooks, 'validUntil'>,
): number {
  const { paymasterAndData = '0x' } = row.user_op as Partial<WireUserOperation> // the service's own JSON form
  const ends = [row.valid_until, validUntil(network, paymasterAndData as Hex)].filter((end) => end > 0)
  return ends.length === 0 ? 0 : Math.min(...ends)
}
