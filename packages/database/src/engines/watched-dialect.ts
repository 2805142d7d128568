import type { AbortableOperationOptions, CompiledQuery, DatabaseConnection, Dialect } from 'kysely'

/** Runs a statement, and may do something before it is sent and after it was answered. */
export type AroundStatement = <T>(sql: string, run: () => Promise<T>) => Promise<T>

/** A dialect all statements of which are run by `around`, on either engine the same ones; the end of a transaction is `commit`. */
export function watchedDialect(dialect: Dialect, around: AroundStatement): Dialect {
  const watched = new WeakSet<DatabaseConnection>()

  function watch(connection: DatabaseConnection): DatabaseConnection {
    if (watched.has(connection)) return connection
    watched.add(connection)
    // bind forgets the type parameter
    const execute = connection.executeQuery.bind(connection) as DatabaseConnection['executeQuery']
    connection.executeQuery = <R>(query: CompiledQuery, options?: AbortableOperationOptions) => {
      const run = () => execute<R>(query, options)
      // PostgreSQL's driver commits by a statement, PGlite's by a call: both are seen below.
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
