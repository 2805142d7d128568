/**
 * A margin on the limit that the simulation found sufficient. Unused verification gas costs nothing but a
 * larger prefund. A tenth covers a signature whose real check costs more than the stub's, and EntryPoint's
 * extra cost when a bundle has other warm and cold slots.
 */
export const withVerificationMargin = (limit: bigint): bigint => limit + limit / 10n

/**
 * EntryPoint v0.7 takes a tenth of unused call gas as a penalty (PENALTY_PERCENT), so this margin is small: 5
 * % and 2,000 gas cost 0.5 % and 200. It covers a slot or two that are cold or empty at inclusion but were
 * not in the simulation.
 */
export const withCallMargin = (limit: bigint): bigint => limit + limit / 20n + 2_000n

/**
 * For calls that currently revert but are built anyway. The gas that they will use when they no longer revert
 * cannot be measured, so this is twice what they used before the revert, plus room for some writes.
 */
export const withRevertMargin = (used: bigint): bigint => 2n * used + 100_000n
