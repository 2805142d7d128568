import type { OperationRow } from '@lanyard/database'

export interface InclusionWatcher {
  /**
   * Waits until a signed operation is included, dropped or expired, or until the bound: whatever the row says then
   * is the answer, and so it is when the service shuts down. While it waits it drives the bundler.
   */
  wait(row: OperationRow, timeout: number): Promise<OperationRow>
  /** Answers every waiter with the row as it is now, and takes no new ones. */
  close(): Promise<void>
}
