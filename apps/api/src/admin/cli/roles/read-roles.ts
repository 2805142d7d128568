import { walkBlocks } from '@lanyard/networks'
import { attestorSetAbi } from '@lanyard/onchain'
import { proposalLifetime } from '@lanyard/smart-balance'
import type { Address } from 'viem'
import type { SmartBalanceSession } from '../smart-balance-session.ts'

/** Roles that a contract gives to addresses. */
export const roles = ['operator', 'settler', 'attestor'] as const
export type Role = (typeof roles)[number]

/** The environment variable of the service with the key of a role's holder. */
export const variableOf = {
  operator: 'OPERATOR_PRIVATE_KEY',
  settler: 'SETTLER_PRIVATE_KEY',
  attestor: 'ATTESTOR_PRIVATE_KEYS',
} as const satisfies Record<Role, string>

/** The owner of the contracts, and how attestors decide. Times are unix seconds. */
export interface RoleSetting {
  readonly owner: Address
  /** The account that may pause new orders and revoke operators; the zero address means none. */
  readonly pauser: Address
  /**
   * The account that has been offered the ownership of SmartBalance and has not accepted yet; the zero
   * address means none.
   */
  readonly pendingOwner: Address
  /** The AttestorSet. */
  readonly verifier: Address
  readonly verifierOwner: Address
  readonly verifierPendingOwner: Address
  /** The number of attestors that must agree, and the number of all attestors. */
  readonly threshold: number
  readonly attestorCount: number
  /** A lower threshold that is waiting or can be applied; null: none, or it has lapsed. */
  readonly pendingThreshold: { readonly threshold: number; readonly readyAt: number } | null
  /** Time of the newest block. */
  readonly now: number
}

export const attestorSet = (verifier: Address) => ({ address: verifier, abi: attestorSetAbi }) as const

export async function readRoleSetting({ network, contract }: SmartBalanceSession): Promise<RoleSetting> {
  return network.call(async (client) => {
    const verifier = await client.readContract({ ...contract, functionName: 'verifier' })
    const set = attestorSet(verifier)
    const [
      owner,
      pauser,
      pendingOwner,
      verifierOwner,
      verifierPendingOwner,
      threshold,
      count,
      pending,
      readyAt,
      block,
    ] = await Promise.all([
      client.readContract({ ...contract, functionName: 'owner' }),
      client.readContract({ ...contract, functionName: 'pauser' }),
      client.readContract({ ...contract, functionName: 'pendingOwner' }),
      client.readContract({ ...set, functionName: 'owner' }),
      client.readContract({ ...set, functionName: 'pendingOwner' }),
      client.readContract({ ...set, functionName: 'threshold' }),
      client.readContract({ ...set, functionName: 'attestorCount' }),
      client.readContract({ ...set, functionName: 'pendingThreshold' }),
      client.readContract({ ...set, functionName: 'thresholdReadyAt' }),
      client.getBlock(),
    ])
    return {
      ...{ owner, pauser, pendingOwner, verifier, verifierOwner, verifierPendingOwner },
      threshold: Number(threshold),
      attestorCount: Number(count),
      pendingThreshold: isOpen(readyAt, block) ? { threshold: Number(pending), readyAt } : null,
      now: Number(block.timestamp),
    }
  })
}

/** Whether a proposal exists that can still be applied, now or later. */
const isOpen = (readyAt: number, { timestamp }: { readonly timestamp: bigint }): boolean =>
  readyAt !== 0 && timestamp <= BigInt(lapsesAt(readyAt))

/** The last second in which a proposal can be applied, unix seconds. */
export const lapsesAt = (readyAt: number): number => readyAt + proposalLifetime

/** The relation of an address to a role. */
export interface Holding {
  readonly role: Role
  readonly address: Address
  readonly active: boolean
  /**
   * For a proposed attestor: when it can be added (unix seconds); null: not proposed, or the proposal has
   * lapsed.
   */
  readonly readyAt: number | null
}

export async function readHolding(
  { network, contract }: SmartBalanceSession,
  { verifier }: Pick<RoleSetting, 'verifier'>,
  role: Role,
  address: Address,
): Promise<Holding> {
  const args = [address] as const
  return network.call(async (client) => {
    if (role !== 'attestor') {
      const functionName = role === 'operator' ? 'isOperator' : 'isSettler'
      const active = await client.readContract({ ...contract, functionName, args })
      return { role, address, active, readyAt: null }
    }
    const set = attestorSet(verifier)
    const [active, readyAt, block] = await Promise.all([
      client.readContract({ ...set, functionName: 'isAttestor', args }),
      client.readContract({ ...set, functionName: 'attestorReadyAt', args }),
      client.getBlock(),
    ])
    return { role, address, active, readyAt: isOpen(readyAt, block) ? readyAt : null }
  })
}

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
): Promise<Readonly<Record<Role, readonly Address[]>>> {
  const found: Record<Role, Address[]> = { operator: [], settler: [], attestor: [] }
  const toBlock = await network.call((client) => client.getBlockNumber())
  const set = attestorSet(verifier)
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
    found.operator.push(...operators.map(({ args }) => args.operator))
    found.settler.push(...settlers.map(({ args }) => args.settler))
    found.attestor.push(...[...added, ...proposed].map(({ args }) => args.attestor))
    output.progress(`  looked for roles up to block ${range.toBlock} of ${toBlock}`)
  }
  return found
}
