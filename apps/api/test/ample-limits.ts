/**
 * Limits for tests that are not about them: a suite asks more often than people do. Numbers, since production refuses
 * `RATE_LIMITS=off`. Every read is fresh.
 */
export const ampleLimits = {
  RATE_LIMIT_CALLS: '1000000',
  RATE_LIMIT_READS: '1000000',
  RATE_LIMIT_BUILDS: '1000000',
  RATE_LIMIT_CEREMONIES: '1000000',
  RATE_LIMIT_HEALTH: '1000000',
  READ_CACHE: '0',
}
