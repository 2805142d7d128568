import type { Compilable, Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Stands for a value while a query is compiled. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is built and compiled on its first use, and after that only gets its values. Kysely otherwise does
 * both on each call, which takes longer for a large query than sending it.
 *
 * @param build - uses its values only as parameters: it gets placeholders, and its result must not depend on them
 */
export function prepared<V extends object, R>(
  build: (db: Kysely<Database>, values: V) => Compilable<R>,
): (db: Kysely<Database>, values: V) => Promise<R[]> {
  let compiled: ReturnType<Compilable<R>['compile']> | undefined
  return async (db, values) => {
    compiled ??= build(db, placeholders<V>()).compile()
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as keyof V] : value,
    )
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters })
    return rows
  }
}

/** The builder only passes them on, so they need not be of the declared types. */
const placeholders = <V extends object>() =>
  new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as V
