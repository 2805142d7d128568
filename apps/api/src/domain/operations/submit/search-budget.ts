/** What a caller may spend on comparing a signature with builds. */
export interface SearchBudget {
  /**
   * Takes as many builds of the rate limit as will be compared. Whoever has any left may go below zero once, so that an
   * owner finds the own build among any number of others.
   *
   * @throws RATE_LIMITED
   */
  charge(comparisons: number): Promise<void>
  /** Gives back what was charged for a signature that fits, or not compared. */
  refund(comparisons: number): Promise<void>
}
