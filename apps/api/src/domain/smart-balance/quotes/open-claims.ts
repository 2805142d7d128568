import { type Database, isOrderSigned } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Liquidity } from './chain-balance.ts'

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
export async function sumOpenClaims(
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
