/** What became of an order on its output network: `Outcome` of IOutcomeVerifier.sol. */
export const outcomes = { none: 0, claimed: 1, failed: 2 } as const

/** An outcome that can be attested. */
export type Outcome = Exclude<keyof typeof outcomes, 'none'>
