import { type Kysely, sql } from 'kysely'
import type { Database } from '../src/schema.ts'

interface Column {
  readonly type: string
  readonly nullable: boolean
  /** The column gets a value when an insert omits it. */
  readonly filled: boolean
}

/** The parts of a schema that queries depend on. */
export interface SchemaShape {
  /** Keyed by `table.column`. */
  readonly columns: ReadonlyMap<string, Column>
  /** Checks, references and unique constraints by name, with their columns (`table.column`). */
  readonly constraints: ReadonlyMap<string, readonly string[]>
}

export async function readSchemaShape(db: Kysely<Database>): Promise<SchemaShape> {
  const columns = await sql<{ key: string; type: string; nullable: boolean; filled: boolean }>`
    select table_name || '.' || column_name as key, data_type || coalesce('(' || character_maximum_length || ')', '')
      || coalesce('(' || numeric_precision || ',' || numeric_scale || ')', '') as type,
      is_nullable = 'YES' as nullable,
      column_default is not null or is_generated = 'ALWAYS' or is_identity = 'YES' as filled
    from information_schema.columns where table_schema = 'public'`.execute(db)
  const constraints = await sql<{ name: string; keys: string[] }>`
    select con.conname as name, array_agg(rel.relname || '.' || att.attname) as keys
    from pg_constraint con
      join pg_class rel on rel.oid = con.conrelid
      join pg_namespace ns on ns.oid = rel.relnamespace and ns.nspname = 'public'
      join pg_attribute att on att.attrelid = rel.oid and att.attnum = any (con.conkey)
    where con.contype <> 'n'
    group by con.oid, con.conname
    union all
    select rel.relname, array_agg(tab.relname || '.' || att.attname)
    from pg_index idx
      join pg_class rel on rel.oid = idx.indexrelid
      join pg_class tab on tab.oid = idx.indrelid
      join pg_namespace ns on ns.oid = tab.relnamespace and ns.nspname = 'public'
      join pg_attribute att on att.attrelid = tab.oid and att.attnum = any (idx.indkey)
    where idx.indisunique
    group by rel.oid, rel.relname`.execute(db)
  return {
    columns: new Map(columns.rows.map(({ key, ...column }) => [key, column])),
    constraints: new Map(constraints.rows.map(({ name, keys }) => [name, keys])),
  }
}

/** Describes which changes of a migration could break the previous version's queries. */
export function findContractions(before: SchemaShape, after: SchemaShape): string[] {
  const tables = new Set([...before.columns.keys()].map(tableOf))
  const lost = [...before.columns].flatMap(([key, { type, nullable }]) => {
    const now = after.columns.get(key)
    if (!now) return [`${key} is gone`]
    return [
      ...(now.type === type ? [] : [`${key} was ${type} and is ${now.type}`]),
      ...(nullable && !now.nullable ? [`${key} must no longer be null`] : []),
    ]
  })
  const demanded = [...after.columns].flatMap(([key, { nullable, filled }]) =>
    !before.columns.has(key) && tables.has(tableOf(key)) && !nullable && !filled
      ? [`${key} is new and must be given`]
      : [],
  )
  const bound = [...after.constraints].flatMap(([name, keys]) =>
    !before.constraints.has(name) && keys.some((key) => before.columns.has(key))
      ? [`${name} binds ${keys.filter((key) => before.columns.has(key)).join(', ')}`]
      : [],
  )
  return [...lost, ...demanded, ...bound]
}

const tableOf = (key: string) => key.split('.')[0] ?? ''
