import type { OperationRow } from '@lanyard/database'

/** An operation of a bundle that reverted. */
export type CarriedOperation = Pick<
  OperationRow,
  'user_op_hash' | 'account' | 'nonce_key' | 'nonce_sequence' | 'user_op' | 'signature' | 'sent_by'
>
