import type { Database } from '@lanyard/database'
import type { AvailableDeposit } from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import type { Hex } from 'viem'
import type { NoncePosition } from '../../operations/lanes.ts'
import { availabilityOf, isPinned } from '../ledger/availability.ts'
import { findHoldings, type Holding } from '../ledger/holdings.ts'
import { sumOpenClaims } from '../ledger/open-claims.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Liquidity } from './read-liquidity.ts'

/** What a new order of an account on a network can draw on. */
export interface SpendableBalance {
  readonly outputNetwork: number
  /** By signer: what the signer's pins, and the account's own deposit on the output network, make available. */
  readonly depositsOf: (signer: Hex) => AvailableDeposit[]
  /** 6 decimals. */
  readonly lendable: bigint
  readonly holdings: readonly Holding[]
  /** The nonce at which the new order competes with others, which were therefore left out. */
  readonly competing: NoncePosition | undefined
}

interface MeansRequest {
  readonly account: string
  readonly outputNetwork: number
  readonly liquidity: Liquidity
  /** Networks whose entry in the ledger is fresh. */
  readonly networks: readonly number[]
  /** The next sequence of each lane on the output network, by the chain. */
  readonly sequences?: readonly bigint[]
  readonly now: Date
}

/** A reservation that nobody built yet: a newer one of the account takes its place. */
export const isUnsigned = ({ state, signed }: Holding) => state === 'RESERVED' && !signed

/** Signed by the operator and not by the owner, who can still submit it. */
export const isWaiting = ({ state, signed, nonceUsed }: Holding) =>
  state === 'RESERVED' && signed && !nonceUsed

/**
 * The nonce at which a new order competes: that of the newest order which waits for its owner on the same network. What
 * the chain shows used competes with nothing.
 */
export function findCompeting(
  holdings: readonly Holding[],
  outputNetwork: number,
  sequences: readonly bigint[] = [],
): NoncePosition | undefined {
  const waiting = holdings.findLast(
    (holding) =>
      isWaiting(holding) &&
      holding.output_network === outputNetwork &&
      holding.nonce_sequence >= (sequences[Number(holding.nonce_key)] ?? 0n),
  )
  return waiting && { key: waiting.nonce_key, sequence: waiting.nonce_sequence }
}

/**
 * What a new order could draw on: as if those that it replaces were gone already, and those that it competes with at one
 * nonce, of which only the larger counts. A signed order at another nonce counts in full: both can be included. Under
 * the account's and the network's locks it is exact.
 */
export async function findSpendableBalance(
  connection: Kysely<Database>,
  { account, outputNetwork, liquidity, networks, sequences, now }: MeansRequest,
): Promise<SpendableBalance> {
  const ledger = await readLedger(connection, account)
  const holdings = await findHoldings(connection, account, now)
  const competing = findCompeting(holdings, outputNetwork, sequences)
  const givesWay = (holding: Holding) =>
    isUnsigned(holding) ||
    (isWaiting(holding) &&
      holding.output_network === outputNetwork &&
      holding.nonce_key === competing?.key &&
      holding.nonce_sequence === competing.sequence)
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
    competing,
  }
}
