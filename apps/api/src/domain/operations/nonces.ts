import { LanyardError, memo } from '@lanyard/contracts'
import { type Database, type OperationRow, prepared } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

/**
 * Nonce keys 0–15 of ERC-4337's two-dimensional nonce serve as lanes. More lanes would only cost gas (17k for
 * each new key).
 */
export const laneCount = 16

export interface NoncePosition {
  readonly key: bigint
  readonly sequence: bigint
}

/** The nonce in EntryPoint's encoding: 192-bit key ‖ 64-bit sequence (EntryPoint v0.7, NonceManager). */
export const toNonce = ({ key, sequence }: NoncePosition): bigint => (key << 64n) | sequence

interface Lanes {
  /** Lanes of signed operations and of open orders. */
  readonly taken: ReadonlySet<bigint>
  /** Number of unsigned builds of the same caller on each lane. */
  readonly builds: ReadonlyMap<bigint, number>
  /** The next sequence of a lane, according to the chain and to known inclusions. */
  readonly nextSequence: (lane: bigint) => bigint
  /** Chosen if it is free. */
  readonly preferred?: bigint | undefined
}

/**
 * Chooses the nonce of a new build: the lowest of the free lanes with the fewest builds of the same caller.
 * Sequential use stays on lane 0, parallel builds get one lane each, and builds of other callers have no
 * effect.
 *
 * @throws LANES_EXHAUSTED when every lane is taken
 */
export function chooseLane({ taken, builds, nextSequence, preferred }: Lanes): NoncePosition {
  const free = Array.from({ length: laneCount }, (_, lane) => BigInt(lane)).filter((lane) => !taken.has(lane))
  const buildsOn = (lane: bigint) => (lane === preferred ? -1 : (builds.get(lane) ?? 0))
  const [key] = free.toSorted((a, b) => buildsOn(a) - buildsOn(b)) // stable: the lowest lane wins a tie
  if (key === undefined) throw new LanyardError('LANES_EXHAUSTED')
  return { key, sequence: nextSequence(key) }
}

type At = { readonly blockNumber?: bigint }

/**
 * Whether the chain has used each operation's nonce, at the head or at a block: if so, it or another
 * operation with the same nonce is included.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readNoncesUsed(
  network: Network,
  rows: readonly OperationRow[],
  at: At = {},
): Promise<ReadonlySet<OperationRow>> {
  if (rows.length === 0) return new Set()
  const nonces = await network.call((client) =>
    client.multicall({
      allowFailure: false,
      batchSize: 0, // one request for all of them
      ...at,
      contracts: rows.map(
        (row) =>
          ({
            address: row.entry_point as Address, // the column holds an address
            abi: entryPoint07Abi,
            functionName: 'getNonce',
            args: [row.account as Address, row.nonce_key], // the column holds 0x and 40 digits
          }) as const,
      ),
    }),
  )
  const sequenceOf = (nonce: bigint | undefined) => (nonce ?? 0n) & (2n ** 64n - 1n)
  return new Set(rows.filter((row, index) => sequenceOf(nonces[index]) > row.nonce_sequence))
}

/** The account on one network whose nonces are read. */
interface NonceScope {
  readonly account: string
  readonly network: number
  readonly now: Date
}

/**
 * A query for the nonce keys that a feature has promised, with one column `nonce_key`: no build takes them. It becomes a part of
 * the statement that every build makes, and uses the values only as parameters.
 */
export type NonceHolder = (scope: NonceScope) => RawBuilder<unknown>

/** A signed operation that takes its nonce. */
export type UnresolvedOperation = Pick<
  OperationRow,
  'user_op_hash' | 'nonce_key' | 'nonce_sequence' | 'deploys' | 'user_op'
>

/** The use of an account's nonces on one network, as the database knows it for one caller. */
export interface NonceUse {
  /**
   * Signed operations that are not included, or that were dropped in a way that a reorg could undo. An
   * included operation frees its lane immediately: the next operation takes the next sequence.
   */
  readonly unresolved: readonly UnresolvedOperation[]
  /** Nonce keys that a feature has promised before an operation is built with them. */
  readonly promised: ReadonlySet<bigint>
  /** By nonce key, the sequence after the last known inclusion, for the lanes and the session. */
  readonly next: ReadonlyMap<bigint, bigint>
  /** By nonce key, the number of the caller's builds that wait for a signature of their owner or payer. */
  readonly builds: ReadonlyMap<bigint, number>
  /**
   * The number of the caller's builds that can still be signed, on all networks, and when the first of them
   * expires.
   */
  readonly live: { readonly count: number; readonly firstEnd: Date | null }
  /** Grows with each signature, and with each change under the account's lock: see `insertPlainBuild`. */
  readonly version: bigint
}

interface NonceUseRequest {
  readonly nonceHolders: readonly NonceHolder[]
  readonly account: string
  readonly network: number
  readonly builtBy: string
  /** The signing session: its nonce key is read, too. */
  readonly session?: Pick<NoncePosition, 'key'> | undefined
  readonly now: Date
}

type Source = 'signed' | 'included' | 'promised' | 'build' | 'held' | 'version'

type NonceUseValues = Omit<NonceUseRequest, 'session' | 'nonceHolders'> & { readonly sessionKey: bigint }

const prepare = (holders: readonly NonceHolder[]) =>
  prepared((db, { account, network, builtBy, sessionKey, now }: NonceUseValues) => {
    const of = (source: Source) => sql<Source>`${sql.lit(source)}`.as('source')
    const noOperation = [
      sql<string>`''`.as('user_op_hash'),
      sql<boolean>`false`.as('deploys'),
      sql<unknown>`null::jsonb`.as('user_op'),
    ] as const
    const noEnd = sql<Date | null>`null::timestamptz`.as('first_end')
    const count = sql<bigint>`count(*)::numeric`.as('figure')
    // One look-up for each nonce key: a maximum over all operations of an account would read them all.
    const keys = sql<{ key: bigint }>`(
    select n::numeric from generate_series(0, ${sql.lit(laneCount - 1)}) as n
    union select ${sessionKey}::numeric
  )`.as<'lane'>(sql`lane(key)`)
    const signed = db
      .selectFrom('operations')
      .select([of('signed'), 'network', 'nonce_key', sql<bigint>`nonce_sequence`.as('figure')])
      .select(['user_op_hash', 'deploys', 'user_op', noEnd])
      .where('account', '=', account)
      .where('network', '=', network)
      .where('final', '=', sql.lit(false))
      .where('signature', 'is not', null)
      .where('state', '<>', sql.lit('included'))
      .unionAll((eb) =>
        eb
          .selectFrom(keys)
          .innerJoinLateral(
            (lateral) =>
              lateral
                .selectFrom('operations')
                .select(['operations.network', 'operations.nonce_sequence'])
                .where('operations.account', '=', account)
                .where('operations.network', '=', network)
                .whereRef('operations.nonce_key', '=', 'lane.key')
                .where('operations.state', '=', sql.lit('included'))
                .orderBy('operations.nonce_sequence', 'desc')
                .limit(1)
                .as('last'),
            (join) => join.onTrue(),
          )
          .select([of('included'), 'last.network', 'lane.key as nonce_key', 'last.nonce_sequence as figure'])
          .select([...noOperation, noEnd]),
      )
      .unionAll((eb) =>
        eb
          .selectFrom('operations')
          .select([of('build'), 'network', 'nonce_key', count])
          .select([...noOperation, sql<Date | null>`min(build_expires_at)`.as('first_end')])
          .where('account', '=', account)
          .where('signature', 'is', null)
          .where('built_by', '=', builtBy)
          .where('build_expires_at', '>', now)
          .groupBy(['network', 'nonce_key']),
      )
      .unionAll((eb) =>
        eb
          .selectFrom('nonce_holds')
          .select([of('held'), 'network', 'nonce_key', count])
          .select([...noOperation, noEnd])
          .where('account', '=', account)
          .where('network', '=', network)
          .where('built_by', '=', builtBy)
          .where('expires_at', '>', now)
          .groupBy(['network', 'nonce_key']),
      )
      .unionAll((eb) =>
        eb
          .selectFrom('accounts')
          .select([
            of('version'),
            sql<number>`0::int8`.as('network'),
            sql<bigint>`0::numeric`.as('nonce_key'),
          ])
          .select([sql<bigint>`(version + signatures)::numeric`.as('figure'), ...noOperation, noEnd])
          .where('address', '=', account),
      )
    return holders.reduce(
      (query, holder) =>
        query.unionAll((eb) =>
          eb
            .selectFrom(
              sql<{ nonce_key: bigint }>`(${holder({ account, network, now })})`.as<'promised'>(
                sql`promised`,
              ),
            )
            .select([of('promised'), sql<number>`${network}::int8`.as('network'), 'nonce_key'])
            .select([sql<bigint>`0::numeric`.as('figure'), ...noOperation, noEnd]),
        ),
      signed,
    )
  })

/** The statement of a process: each holder adds a part. */
const statementFor = memo(prepare)

/** Reads everything in one statement, since every build does this under a lock. */
export async function readNonceUse(
  connection: Kysely<Database>,
  { session, nonceHolders, ...values }: NonceUseRequest,
): Promise<NonceUse> {
  const { network } = values
  const rows = await statementFor(nonceHolders)(connection, { ...values, sessionKey: session?.key ?? 0n })
  const from = (...sources: readonly Source[]) => rows.filter(({ source }) => sources.includes(source))
  const builds = new Map<bigint, number>()
  for (const { nonce_key, figure } of from('build', 'held').filter((row) => row.network === network)) {
    builds.set(nonce_key, (builds.get(nonce_key) ?? 0) + Number(figure))
  }
  const ends = from('build').flatMap(({ first_end }) => first_end ?? [])
  return {
    unresolved: from('signed').map(({ figure, ...row }) => ({ ...row, nonce_sequence: figure })),
    promised: new Set(from('promised').map(({ nonce_key }) => nonce_key)),
    next: new Map(from('included').map(({ nonce_key, figure }) => [nonce_key, figure + 1n])),
    builds,
    version: from('version')[0]?.figure ?? 0n,
    live: {
      count: from('build').reduce((sum, { figure }) => sum + Number(figure), 0),
      firstEnd: ends.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
    },
  }
}
