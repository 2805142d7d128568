import type { Database } from '@lanyard/database'
import type { AvailableDeposit } from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import type { Hex } from 'viem'
import { availabilityOf, isPinned } from './availability.ts'
import { findHoldings, type Holding } from './holdings.ts'
import { sumOpenClaims } from './open-claims.ts'
import { readLedger } from './read-ledger.ts'
import type { Liquidity } from './read-liquidity.ts'

/** What a new order of an account on a network can draw on. */
export interface Means {
  readonly outputNetwork: number
  /** By signer: what the signer's pins, and the account's own deposit on the output network, make available. */
  readonly depositsOf: (signer: Hex) => AvailableDeposit[]
  /** 6 decimals. */
  readonly lendable: bigint
  readonly holdings: readonly Holding[]
}

interface MeansRequest {
  readonly account: string
  readonly outputNetwork: number
  readonly liquidity: Liquidity
  /** Networks whose entry in the ledger is fresh. */
  readonly networks: readonly number[]
  readonly now: Date
}

/** A reservation that nobody built yet: a newer one of the account takes its place. */
export const isUnsigned = ({ state, signed }: Holding) => state === 'RESERVED' && !signed

/** Signed by the operator and not by the owner: an order on the same network competes with it, at its nonce. */
export const isCompetitor = (outputNetwork: number) => (holding: Holding) =>
  holding.state === 'RESERVED' && holding.signed && holding.output_network === outputNetwork

/**
 * What a new order could draw on: as if those that it replaces were gone already, and those that it competes with, of
 * which only the larger counts. Under the account's and the network's locks it is exact.
 */
export async function findMeans(
  connection: Kysely<Database>,
  { account, outputNetwork, liquidity, networks, now }: MeansRequest,
): Promise<Means> {
  const ledger = await readLedger(connection, account)
  const holdings = await findHoldings(connection, account, now)
  const givesWay = (holding: Holding) => isUnsigned(holding) || isCompetitor(outputNetwork)(holding)
  // A co-signature that was given away binds deposits all the same.
  const others = holdings.map((holding) => (givesWay(holding) ? { ...holding, debits: [] } : holding))
  const open = await sumOpenClaims(connection, {
    network: outputNetwork,
    liquidity,
    now,
    except: holdings.filter(givesWay).map(({ order_id }) => order_id),
  })
  const depositsOf = (signer: Hex) =>
    ledger
      .filter(({ network }) => networks.includes(network))
      .flatMap((entry) => {
        const { network } = entry
        const { asOwn, asSource } = availabilityOf(entry, others)
        if (network === outputNetwork) return [{ network, available: asOwn }]
        return isPinned(entry, signer) ? [{ network, available: asSource }] : []
      })
  return {
    outputNetwork,
    depositsOf,
    lendable: liquidity.amount > open ? liquidity.amount - open : 0n,
    holdings,
  }
}
