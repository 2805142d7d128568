import { requiredPrefund, type SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { entryPointOf } from './entry-point.ts'

/** The figures for AA21: the operation's maximum cost and the account's funds, in wei as decimal strings. */
export async function insufficientFunds(
  network: Network,
  operation: SignedUserOperation,
): Promise<LanyardError> {
  const [balance, deposit] = await network.call((client) =>
    Promise.all([
      client.getBalance({ address: operation.sender }),
      client.readContract({
        address: entryPointOf(network, operation),
        abi: entryPoint07Abi,
        functionName: 'balanceOf',
        args: [operation.sender],
      }),
    ]),
  )
  const required = requiredPrefund(operation)
  const available = balance + deposit
  const missing = required > available ? required - available : 0n
  return new LanyardError('INSUFFICIENT_FUNDS', {
    message: `The account needs ${required} wei for this operation and has ${available}.`,
    details: {
      entryPointCode: 'AA21',
      required: required.toString(),
      available: available.toString(),
      missing: missing.toString(),
    },
  })
}
