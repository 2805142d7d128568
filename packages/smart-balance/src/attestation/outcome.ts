/** The outcome of an order on its output network: `Outcome` of IOutcomeVerifier.sol. */
export const outcomes = { none: 0, claimed: 1, failed: 2, unfunded: 3 } as const

/** An outcome that can be attested. An unfunded order owes nothing, so nothing is proven. */
export type Outcome = Exclude<keyof typeof outcomes, 'none' | 'unfunded'>
