import { readDelegation } from '@lanyard/accounts'
import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'

/**
 * Whether an operation's authorisation is spent while its EOA is not delegated. Once it is delegated, in whatever way, the
 * operation needs no authorisation.
 */
export function isDelegationSpent(
  network: Network,
  { account, eip7702_auth: authorization }: OperationRow,
): Promise<boolean> {
  const address = account as Address // the column holds 0x and 40 digits
  return network.call(async (client) => {
    const [code, nonce] = await Promise.all([
      client.getCode({ address }),
      authorization ? client.getTransactionCount({ address }) : 0,
    ])
    if (!authorization) return false
    return (
      nonce > authorization.nonce &&
      readDelegation(code, { delegate: authorization.address }).kind !== 'delegated'
    )
  })
}
