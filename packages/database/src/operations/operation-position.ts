import type { OperationRow } from '../schema.ts'

/** Identifies an operation and its nonce. */
export type OperationPosition = Pick<
  OperationRow,
  'user_op_hash' | 'account' | 'network' | 'nonce_key' | 'nonce_sequence'
>
