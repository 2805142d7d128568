import { sql } from 'kysely'
import { batched, perDatabase } from '../batched.ts'
import type { OperationRow } from '../schema.ts'
import { rivalHash } from './rivals.ts'

export interface Signing {
  readonly userOpHash: string
  /** Lower case. */
  readonly account: string
  /** `accounts.signatures` when the operation was read. */
  readonly signatures: number
  /** The complete `userOp.signature`. */
  readonly signature: string
  /** A block that the chain had before the signature went anywhere: the event is in no earlier one. */
  readonly head: number
  readonly now: Date
  /** When the worker delivers it, if nobody did. */
  readonly nextAttemptAt: Date
}

export interface SignedRow extends OperationRow {
  /** No other operation of its account is under way on its network. */
  readonly is_alone: boolean
}

/**
 * Writes signatures, `built → submitting`, all that wait in one statement. It takes plain operations only: one that
 * deploys its account or belongs to an order needs a transaction, which is also where a reason is found.
 *
 * In READ COMMITTED the statement does not see a rival that is committed while it waits for a lock. But whoever signs
 * counts the account's signatures up, and who has read an older count signs nothing.
 *
 * @returns undefined where nothing was written
 */
export const signOperation = perDatabase((db) =>
  batched(async (all: readonly Signing[]): Promise<(SignedRow | undefined)[]> => {
    // One of an account: the next has read a count that is old by then.
    const signings = [...new Map(all.map((one) => [one.account, one])).values()]
    const column = <K extends keyof Signing>(name: K) => signings.map((one) => one[name])
    const { rows } = await sql<SignedRow>`
      with given as (
        select * from unnest(
          ${column('userOpHash')}::text[], ${column('account')}::text[], ${column('signatures')}::int8[],
          ${column('signature')}::text[], ${column('head')}::int8[], ${column('now')}::timestamptz[],
          ${column('nextAttemptAt')}::timestamptz[]
        ) as given (user_op_hash, account, signatures, signature, head, now, next_attempt_at)
      ), locked as materialized (
        select address from accounts where address = any(${column('account')}::text[])
        order by address for no key update
      ), counted as (
        update accounts set signatures = accounts.signatures + 1
        from given join locked on locked.address = given.account
        where accounts.address = given.account and accounts.signatures = given.signatures
        returning accounts.address
      )
      update operations set
        state = 'submitting', signature = given.signature, signed_at = given.now, signed_at_block = given.head,
        built_by = null, attempts = 1, next_attempt_at = given.next_attempt_at,
        reason_code = null, reason_message = null
      from given join counted on counted.address = given.account
      where operations.user_op_hash = given.user_op_hash and operations.account = given.account
        and operations.state = 'built' and operations.build_expires_at > given.now and not operations.deploys
        and not exists (
          select from order_operations where order_operations.user_op_hash = operations.user_op_hash
        )
        and ${rivalHash} is null
      returning operations.*, not exists (
        select from operations other
        where other.account = operations.account and other.network = operations.network
          and other.user_op_hash <> operations.user_op_hash and not other.final
          and other.signature is not null and other.state <> 'included' and other.state <> 'dropped'
      ) as is_alone`.execute(db)
    const signed = new Map(rows.map((row) => [row.user_op_hash, row]))
    return all.map((one) => (signings.includes(one) ? signed.get(one.userOpHash) : undefined))
  }),
)
