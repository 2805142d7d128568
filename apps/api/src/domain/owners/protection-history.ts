import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import { type Address, getAddress, type Hex } from 'viem'

/** Acts in one answer. */
const maxActs = 100

interface Row {
  readonly act:
    | 'change'
    | 'recovery-signed'
    | 'recovery-started'
    | 'recovery-executed'
    | 'cancellation-signed'
    | 'recovery-cancelled'
  readonly at: Date
  readonly hash: string
  readonly kind: string | null
  readonly data: string | null
  readonly ends_recovery: boolean
  readonly guardian: string | null
  readonly networks: readonly number[]
  readonly waiting: readonly number[]
  /** What networks wait for, by chain id. */
  readonly reasons: Readonly<Record<string, string>>
}

type Sql = ReturnType<typeof sql>

const listNetworks = (from: Sql) =>
  sql`(select coalesce(json_agg(network order by network), '[]') from ${from})`

/**
 * What owners and guardians signed, and what came of it, newest first. It is read from the rows of the messages, which are kept;
 * logs of the chains are deleted in time, and are read only while an event is wanted.
 *
 * @param networks - chain ids whose progress counts; the index of the progress begins with the network
 */
export async function readProtectionHistory(
  database: Kysely<Database>,
  account: Address,
  networks: readonly number[],
) {
  const key = account.toLowerCase()
  const onKnown = sql`step.network = any(${[...networks]}::int8[])`
  const ofMessage = sql`message_progress as step
    where ${onKnown} and step.account = message.account and step.hash = message.hash`
  const thatAre = (where: Sql) => listNetworks(sql`${ofMessage} and ${where}`)
  const reasons = sql`(
    select coalesce(json_object_agg(network, reason), '{}') from ${ofMessage}
      and state in ('pending', 'running') and reason is not null
  )`
  const none = sql`'[]'::json`
  const noReasons = sql`'{}'::json`
  const { rows } = await sql<Row>`
    select * from (
      select 'change' as act, created_at as at, hash, kind, data,
        exists (
          select from recoveries as ended
          where ended.account = message.account and ended.sequence = message.sequence
            and ended.new_owners is not null and ended.complete_at is not null
        ) as ends_recovery,
        null as guardian, ${thatAre(sql`state <> 'pending'`)} as networks, ${thatAre(sql`state = 'pending'`)} as waiting,
        ${reasons} as reasons
      from owner_changes as message where account = ${key}
      union all
      select case when message.new_owners is null then 'cancellation-signed' else 'recovery-signed' end,
        min(signed.created_at), message.hash, null, null, false, signed.guardian, ${none}, ${none}, ${noReasons}
      from recovery_signatures as signed
        join recoveries as message on message.account = signed.account and message.hash = signed.hash
      where signed.account = ${key}
      group by message.hash, message.new_owners, signed.guardian
      union all
      select 'recovery-started', complete_at, hash, null, null, false, null,
        ${thatAre(sql`state in ('running', 'executed')`)}, ${thatAre(sql`state = 'pending'`)}, ${reasons}
      from recoveries as message
      where account = ${key} and new_owners is not null and complete_at is not null
      union all
      select 'recovery-executed', done.at, hash, null, null, false, null,
        -- Where it ended otherwise, the account is not recovered.
        ${thatAre(sql`state = 'executed'`)}, ${thatAre(sql`state <> 'executed'`)}, ${reasons}
      from recoveries as message, lateral (
        select max(executed_at) as at from ${ofMessage} and step.state = 'executed'
      ) as done
      where account = ${key} and new_owners is not null and done.at is not null
      union all
      select 'recovery-cancelled', complete_at, hash, null, null, false, null,
        ${thatAre(sql`state = 'executed'`)}, ${thatAre(sql`state = 'pending'`)}, ${reasons}
      from recoveries as message
      where account = ${key} and new_owners is null and complete_at is not null
    ) as acts
    order by at desc, act like '%-signed' limit ${maxActs}`.execute(database)
  return rows.map(({ act, at, hash, kind, data, ends_recovery, guardian, reasons, ...row }) => ({
    ...{ act, at: at.toISOString(), networks: [...row.networks], waiting: [...row.waiting], reasons },
    messageToSign: hash as Hex, // a hash, as it was written
    ...(kind !== null && data !== null && { change: { kind: kind as Hex, data: data as Hex } }),
    ...(ends_recovery && { endsRecovery: true }),
    ...(guardian !== null && { guardian: getAddress(guardian) }),
  }))
}
