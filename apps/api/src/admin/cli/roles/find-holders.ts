import { walkBlocks } from '@lanyard/networks'
import { attestorSetAbi } from '@lanyard/onchain'
import type { Address } from 'viem'
import type { SmartBalanceSession } from '../smart-balance-session.ts'
import type { RoleSetting } from './read-roles.ts'
import type { Role } from './role-names.ts'

/**
 * Finds every address that got a role by an event since a block, even if it lost the role later: the
 * contracts cannot list their holders.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findHolders(
  { network, contract, output }: SmartBalanceSession,
  { verifier }: RoleSetting,
  fromBlock: bigint,
): Promise<ReadonlyMap<Role, readonly Address[]>> {
  const found = { operator: new Set<Address>(), settler: new Set<Address>(), attestor: new Set<Address>() }
  const toBlock = await network.call((client) => client.getBlockNumber())
  const set = { address: verifier, abi: attestorSetAbi } as const
  const walk = walkBlocks(network, { fromBlock, toBlock }, (client, range) =>
    Promise.all([
      client.getContractEvents({ ...contract, ...range, eventName: 'OperatorSet', strict: true }),
      client.getContractEvents({ ...contract, ...range, eventName: 'SettlerSet', strict: true }),
      client.getContractEvents({ ...set, ...range, eventName: 'AttestorAdded', strict: true }),
      client.getContractEvents({ ...set, ...range, eventName: 'AttestorProposed', strict: true }),
    ]),
  )
  for await (const range of walk) {
    const [operators, settlers, added, proposed] = range.result
    for (const { args } of operators) found.operator.add(args.operator)
    for (const { args } of settlers) found.settler.add(args.settler)
    for (const { args } of [...added, ...proposed]) found.attestor.add(args.attestor)
    output.progress(`  looked for roles up to block ${range.toBlock} of ${toBlock}`)
  }
  return new Map<Role, readonly Address[]>([
    ['operator', [...found.operator]],
    ['settler', [...found.settler]],
    ['attestor', [...found.attestor]],
  ])
}
