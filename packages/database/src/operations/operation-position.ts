import type { OperationRow } from '../schema.ts'

/** Which operation, and which nonce of its account it has. */
export type OperationPosition = Pick<
  OperationRow,
  'user_op_hash' | 'account' | 'network' | 'nonce_key' | 'nonce_sequence'
>
