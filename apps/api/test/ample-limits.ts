/**
 * Rate limits for suites that do not test them. A suite sends more requests than users do. They are numbers because
 * production rejects `RATE_LIMITS=off`. The read cache is off.
 */
export const ampleLimits = {
  RATE_LIMIT_CALLS: '1000000',
  RATE_LIMIT_READS: '1000000',
  RATE_LIMIT_BUILDS: '1000000',
  RATE_LIMIT_CEREMONIES: '1000000',
  RATE_LIMIT_HEALTH: '1000000',
  RATE_LIMIT_COST: '100000000',
  RATE_LIMIT_BUILD_BYTES: '1000000000000',
  READ_CACHE: '0',
}
