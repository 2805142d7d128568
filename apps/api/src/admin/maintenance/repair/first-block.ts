import { sql } from 'kysely'
import type { RepairContext } from './context.ts'

/** The first block on a network that the database refers to; undefined: it refers to none. */
export async function findFirstBlock({
  database,
  network,
}: Pick<RepairContext, 'database' | 'network'>): Promise<bigint | undefined> {
  const { rows } = await sql<{ first: number | null }>`
    select min(block) as first from (
      select min(least(signed_at_block, block_number)) as block from every_operation where network = ${network.chainId}
      union all
      select min(block_number) from orders where output_network = ${network.chainId}
    ) known`.execute(database)
  const first = rows[0]?.first
  return first === null || first === undefined ? undefined : BigInt(first)
}
