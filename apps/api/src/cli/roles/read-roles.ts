import { attestorSetAbi } from '@lanyard/onchain'
import type { Address } from 'viem'
import type { SmartBalanceSession } from '../smart-balance-session.ts'
import type { Role } from './role-names.ts'

/** Who owns the contracts, and how attestors decide. Times are unix seconds. */
export interface RoleSetting {
  readonly owner: Address
  /** Who has been offered SmartBalance and not accepted yet; zero: nobody. */
  readonly pendingOwner: Address
  /** The AttestorSet. */
  readonly verifier: Address
  readonly verifierOwner: Address
  readonly verifierPendingOwner: Address
  /** How many attestors must agree, of how many. */
  readonly threshold: number
  readonly attestorCount: number
  /** A lower threshold that waits; null: none. */
  readonly pendingThreshold: { readonly threshold: number; readonly readyAt: number } | null
  /** The newest block's. */
  readonly now: number
}

export async function readRoleSetting({ network, contract }: SmartBalanceSession): Promise<RoleSetting> {
  return network.call(async (client) => {
    const verifier = await client.readContract({ ...contract, functionName: 'verifier' })
    const set = { address: verifier, abi: attestorSetAbi } as const
    const [
      owner,
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
      ...{ owner, pendingOwner, verifier, verifierOwner, verifierPendingOwner },
      threshold: Number(threshold),
      attestorCount: Number(count),
      pendingThreshold: readyAt === 0 ? null : { threshold: Number(pending), readyAt },
      now: Number(block.timestamp),
    }
  })
}

/** How an address stands to a role. */
export interface Holding {
  readonly role: Role
  readonly address: Address
  readonly active: boolean
  /** Attestors: proposed, and can be added from then on (unix seconds); null: not proposed. */
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
      return {
        role,
        address,
        readyAt: null,
        active: await client.readContract({ ...contract, functionName, args }),
      }
    }
    const set = { address: verifier, abi: attestorSetAbi } as const
    const [active, readyAt] = await Promise.all([
      client.readContract({ ...set, functionName: 'isAttestor', args }),
      client.readContract({ ...set, functionName: 'attestorReadyAt', args }),
    ])
    return { role, address, active, readyAt: readyAt === 0 ? null : readyAt }
  })
}
