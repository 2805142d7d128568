import type { OperationRow } from '@lanyard/database'
import type { SignedColumns } from '../operation-row.ts'

/** An operation of a bundle that reverted. */
export interface CarriedOperation
  extends SignedColumns,
    Pick<OperationRow, 'account' | 'nonce_key' | 'nonce_sequence' | 'sent_by'> {
  /** Unix seconds, the last one in which the service's own sponsorship or order can pay; null without one. */
  readonly paid_until: number | null
}
