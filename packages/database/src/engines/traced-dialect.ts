import { tracingChannel } from 'node:diagnostics_channel'
import type { AbortableOperationOptions, CompiledQuery, DatabaseConnection, Dialect } from 'kysely'

const statements = tracingChannel<object, { sql: string }>('lanyard:statement')

const traced = <T>(sql: string, run: () => Promise<T>): Promise<T> => statements.tracePromise(run, { sql })

/**
 * A dialect that traces every statement on Node's diagnostics channel `lanyard:statement`, with its text as `sql`. Both
 * engines trace the same statements; the end of a transaction is `commit`. Without a subscriber it costs nothing.
 */
export function tracedDialect(dialect: Dialect): Dialect {
  const watched = new WeakSet<DatabaseConnection>()

  function watch(connection: DatabaseConnection): DatabaseConnection {
    if (watched.has(connection)) return connection
    watched.add(connection)
    // bind loses the type parameter
    const execute = connection.executeQuery.bind(connection) as DatabaseConnection['executeQuery']
    connection.executeQuery = <R>(query: CompiledQuery, options?: AbortableOperationOptions) => {
      const run = () => execute<R>(query, options)
      // PostgreSQL's driver commits by a statement, PGlite's by a call. Both are handled below.
      return query.sql === 'commit' ? run() : traced(query.sql, run)
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
      driver.commitTransaction = (connection) => traced('commit', () => commit(connection))
      return driver
    },
  }
}
