/** A server for tests (any database of it, with the right to create others). Absent: a temporary one. */
export const testDatabaseUrl: string | undefined = process.env.TEST_DATABASE_URL || undefined

/** Folders of programs. */
export const programPath: readonly string[] = (process.env.PATH ?? '').split(':').filter(Boolean)
