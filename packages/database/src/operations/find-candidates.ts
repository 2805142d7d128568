import { sql } from 'kysely'
import { batched, perDatabase } from '../batched.ts'
import type { OperationRow } from '../schema.ts'

/** Which operation a signature may be for. */
export interface CandidateSearch {
  /** Lower case. */
  readonly account: string
  readonly signMode: OperationRow['sign_mode']
  readonly userOpHash: string | undefined
  readonly network: number | undefined
  readonly nonceKey: bigint | undefined
  readonly nonceSequence: bigint | undefined
  /** Whose builds are meant. */
  readonly builtBy: string
  readonly now: Date
  /** What a row's signature may end with: digits of 65 bytes of an EOA, of 64 of a P-256 key before its point. */
  readonly ecdsaEnds: readonly string[]
  readonly p256End: string | undefined
}

export type OperationCandidate = Pick<
  OperationRow,
  'user_op_hash' | 'network' | 'safe_op_hash' | 'session_key'
> & {
  /** The end of the row's signature where that is what was searched. */
  readonly written: string | null
}

type FoundRow = OperationCandidate & {
  readonly search: number
  readonly place: number
  readonly built_at: Date
}

/** How many signed operations are tried: few wait to be final. */
const maxSigned = 64

/**
 * The operations that no third party can add to: with a hash the one that has it; else what has the very signature, then
 * the caller's own builds that can still be signed, then what is signed and not final, the newest first. All that are
 * asked for at once are read by one statement.
 */
export const findCandidates = perDatabase((db) =>
  batched(async (searches: readonly CandidateSearch[]): Promise<OperationCandidate[][]> => {
    const given = searches.map((search, index) => ({
      search: index,
      account: search.account,
      sign_mode: search.signMode,
      user_op_hash: search.userOpHash ?? null,
      network: search.network ?? null,
      nonce_key: search.nonceKey?.toString() ?? null,
      nonce_sequence: search.nonceSequence?.toString() ?? null,
      built_by: search.builtBy,
      now: search.now.toISOString(),
      ecdsa_ends: search.ecdsaEnds,
      p256_end: search.p256End ?? null,
    }))
    const fits = sql`o.account = s.account and o.sign_mode = s.sign_mode
      and (s.network is null or o.network = s.network)
      and (s.nonce_key is null or o.nonce_key = s.nonce_key and o.nonce_sequence = s.nonce_sequence)`
    const ecdsaEnd = sql`right(o.signature, 130)`
    const p256End = sql`left(right(o.signature, 256), 128)`
    const columns = sql`o.user_op_hash, o.network, o.safe_op_hash, o.session_key, o.built_at`
    const { rows } = await sql<FoundRow>`
      select s.search, c.* from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as s (
        search int4, account text, sign_mode text, user_op_hash text, network int8, nonce_key numeric,
        nonce_sequence numeric, built_by text, now timestamptz, ecdsa_ends text[], p256_end text
      ), lateral (
        select ${columns}, 0 as place, case
            when ${ecdsaEnd} = any(s.ecdsa_ends) then ${ecdsaEnd}
            when ${p256End} = s.p256_end then ${p256End}
          end as written
        from operations o where s.user_op_hash is not null and o.user_op_hash = s.user_op_hash and ${fits}
        union all
        select ${columns}, 0, ${ecdsaEnd}
        from operations o
        where s.user_op_hash is null and ${fits} and o.signature is not null and ${ecdsaEnd} = any(s.ecdsa_ends)
        union all
        select ${columns}, 0, ${p256End}
        from operations o
        where s.user_op_hash is null and ${fits} and o.signature is not null and o.sign_mode = 'SESSION_KEY'
          and ${p256End} = s.p256_end
        union all
        select ${columns}, 1, null
        from operations o
        where s.user_op_hash is null and ${fits} and o.signature is null and o.built_by = s.built_by
          and o.build_expires_at > s.now
        union all (
          select ${columns}, 2, null
          from operations o
          where s.user_op_hash is null and ${fits} and o.signature is not null and not o.final
          order by o.built_at desc limit ${sql.lit(maxSigned)}
        )
      ) as c
      order by s.search, c.place, c.built_at desc`.execute(db)
    const bySearch = Map.groupBy(rows, ({ search }) => search)
    return searches.map((_, index) => bySearch.get(index) ?? [])
  }),
)
