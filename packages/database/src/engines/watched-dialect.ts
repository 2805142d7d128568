import type { AbortableOperationOptions, CompiledQuery, DatabaseConnection, Dialect } from 'kysely'

/** Runs a statement, with optional work before it is sent and after its response. */
export type AroundStatement = <T>(sql: string, run: () => Promise<T>) => Promise<T>

/**
 * A dialect that runs every statement through `around`. Both engines pass the same statements; the end of a
 * transaction is `commit`.
 */
export function watchedDialect(dialect: Dialect, around: AroundStatement): Dialect {
  const watched = new WeakSet<DatabaseConnection>()

  function watch(connection: DatabaseConnection): DatabaseConnection {
    if (watched.has(connection)) return connection
    watched.add(connection)
    // bind loses the type parameter
    const execute = connection.executeQuery.bind(connection) as DatabaseConnection['executeQuery']
    connection.executeQuery = <R>(query: CompiledQuery, options?: AbortableOperationOptions) => {
      const run = () => execute<R>(query, options)
      // PostgreSQL's driver commits by a statement, PGlite's by a call. Both are handled below.
      return query.sql === 'commit' ? run() : around(query.sql, run)
    }
    return connection
  }

  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver()
      const acquire = driver.acquireConnection.bind(driver)
      driver.acquireConnection = async (options) => watch(await acquire(options))
      const commit = driver.commitTransaction.bind(driver)
      driver.commitTransaction = (connection) => around('commit', () => commit(connection))
      return driver
    },
  }
}
