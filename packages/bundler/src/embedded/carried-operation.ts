import type { OperationRow } from '@lanyard/database'

/** An operation of a bundle that reverted. */
export interface CarriedOperation
  extends Pick<
    OperationRow,
    | 'user_op_hash'
    | 'account'
    | 'entry_point'
    | 'nonce_key'
    | 'nonce_sequence'
    | 'user_op'
    | 'signature'
    | 'eip7702_auth'
    | 'sent_by'
  > {
  /** Unix seconds, the last one in which the service's own sponsorship or order can pay; null without one. */
  readonly paid_until: number | null
}
