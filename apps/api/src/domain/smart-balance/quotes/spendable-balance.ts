import { type Database, isOrderSigned } from '@lanyard/database'
import type { AvailableDeposit } from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import type { Hex } from 'viem'
import type { NoncePosition } from '../../operations/nonces.ts'
import { availabilityOf, isPinned } from '../ledger/availability.ts'
import { findHoldings, type Holding } from '../ledger/holdings.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Liquidity } from './chain-balance.ts'

/** The funds that a new order of an account on a network can use. */
export interface SpendableBalance {
  readonly outputNetwork: number
  /**
   * Deposits by signer: those that the signer's pins make available, and the account's own deposit on the
   * output network.
   */
  readonly depositsOf: (signer: Hex) => AvailableDeposit[]
  /** 6 decimals. */
  readonly lendable: bigint
  readonly holdings: readonly Holding[]
  /** The nonce that the new order shares with competing orders, which are therefore left out. */
  readonly competing: NoncePosition | undefined
}

interface MeansRequest {
  readonly account: string
  readonly outputNetwork: number
  readonly liquidity: Liquidity
  /** Networks whose ledger entry was just updated. */
  readonly networks: readonly number[]
  /** The next sequence of each lane on the output network, according to the chain. */
  readonly sequences?: readonly bigint[]
  readonly now: Date
}

/** A reservation that is not built yet: a newer one of the account replaces it. */
export const isUnsigned = ({ state, signed }: Holding) => state === 'RESERVED' && !signed

/** Signed by the operator but not by the owner, who can still submit it. */
export const isWaiting = ({ state, signed, nonceUsed }: Holding) =>
  state === 'RESERVED' && signed && !nonceUsed

/**
 * The nonce at which a new order competes: that of the newest order on the same network that waits for its
 * owner. An order whose nonce is used on the chain does not compete.
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
 * The funds that a new order could use. Orders that it replaces are left out, and so are orders that compete
 * at the same nonce, because only the larger of them counts. A signed order at another nonce counts in full,
 * because both can be included. The result is exact under the account's and the network's locks.
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
  // A co-signature that was handed out holds deposits in any case.
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

interface OpenClaimsRequest {
  readonly network: number
  readonly liquidity: Pick<Liquidity, 'blockNumber'>
  readonly now: Date
  /** Orders that the new one replaces or competes with. */
  readonly except: readonly string[]
}

/**
 * The amount that open orders of all accounts may still claim on a network, plus what they claimed after its
 * liquidity was read. Of competing orders, the largest claim counts.
 *
 * @returns 6 decimals
 */
async function sumOpenClaims(
  connection: Kysely<Database>,
  { network, liquidity, now, except }: OpenClaimsRequest,
): Promise<bigint> {
  let open = connection
    .selectFrom('orders')
    .select(({ fn }) => fn.max('claim_amount').as('claim'))
    .where('output_network', '=', network)
    .where('closed_at', 'is', null)
    .where('claim_amount', '>', 0n)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'SUBMITTED'),
        eb.and([eb('state', '=', 'RESERVED'), eb.or([eb('expires_at', '>', now), isOrderSigned(eb)])]),
        eb.and([eb('state', '=', 'CLAIMED'), eb('block_number', '>', Number(liquidity.blockNumber))]),
      ]),
    )
    .groupBy(['account', 'nonce_key', 'nonce_sequence'])
  if (except.length > 0) open = open.where('order_id', 'not in', except)
  const claims = await open.execute()
  return claims.reduce((sum, { claim }) => sum + claim, 0n)
}
