/**
 * A server for tests (any of its databases, with the right to create others). Absent: a temporary server is
 * used.
 */
export const testDatabaseUrl: string | undefined = process.env.TEST_DATABASE_URL || undefined

/** Folders in PATH. */
export const programPath: readonly string[] = (process.env.PATH ?? '').split(':').filter(Boolean)
