/** A caller's budget for comparing a signature with builds. */
export interface SearchBudget {
  /**
   * Charges the rate limit for each build that will be compared. A caller with budget left may go below zero once, so that an
   * owner finds their build among any number of others.
   *
   * @throws RATE_LIMITED
   */
  charge(comparisons: number): Promise<void>
  /** Refunds the charges for a signature that matches, or for builds that were not compared. */
  refund(comparisons: number): Promise<void>
}
