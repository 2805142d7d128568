import type { Address, PublicClient } from 'viem'
import { DeploymentError } from './error.ts'

/**
 * The nonce of an account's next transaction. Throws while a transaction of an earlier run waits in the pool,
 * because its step would be planned, and paid, again.
 *
 * @throws DeploymentError `TRANSACTIONS_PENDING`
 */
export async function settledNonce(client: PublicClient, account: Address): Promise<number> {
  const [latest, pending] = await Promise.all([
    client.getTransactionCount({ address: account, blockTag: 'latest' }),
    client.getTransactionCount({ address: account, blockTag: 'pending' }),
  ])
  if (pending <= latest) return latest
  throw new DeploymentError(
    'TRANSACTIONS_PENDING',
    `${pending - latest} transaction(s) of ${account} wait for inclusion. Run the command again when they are included.`,
  )
}
