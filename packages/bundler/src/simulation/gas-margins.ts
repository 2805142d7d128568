/**
 * Above the limit that the simulation found sufficient. Unused verification gas costs nothing but a larger prefund;
 * a tenth covers a signature whose bytes make the real check more expensive than the stub's, and what EntryPoint adds when
 * warm and cold slots fall otherwise in a bundle.
 */
export const withVerificationMargin = (limit: bigint): bigint => limit + limit / 10n

/**
 * EntryPoint v0.7 takes a tenth of unused call gas as a penalty (PENALTY_PERCENT), so this margin is small: 5 % and
 * 2,000 cost 0.5 % and 200. It covers a slot or two that are cold or empty by the time of inclusion and were not
 * in the simulation.
 */
export const withCallMargin = (limit: bigint): bigint => limit + limit / 20n + 2_000n

/**
 * For calls that revert at this moment, built all the same: how much they use once they no longer revert cannot be
 * measured, so twice what they used until then and room for some writes.
 */
export const withRevertMargin = (used: bigint): bigint => 2n * used + 100_000n
