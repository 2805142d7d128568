import type { OperationRow } from '@lanyard/database'

export interface InclusionWatcher {
  /**
   * Waits until a signed operation is included, dropped or expired, or until the timeout or shutdown. The
   * result is the row's state at that time. While waiting, it drives the bundler.
   */
  wait(row: OperationRow, timeout: number): Promise<OperationRow>
  /** Resolves every waiter with the current row and accepts no new ones. */
  close(): Promise<void>
}
