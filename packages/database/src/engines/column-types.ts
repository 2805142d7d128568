import { LanyardError } from '@lanyard/contracts'

/** Object identifiers of PostgreSQL's built-in types (`select oid, typname from pg_type`). */
const INT8 = 20
const NUMERIC = 1700

function parseInt8(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new LanyardError('INTERNAL', { cause: `int8 ${text} is beyond 2^53: its column should be numeric` })
}

/**
 * Parsers for columns where neither engine's default is suitable; the other types are already the same on
 * both (timestamptz → Date, jsonb → parsed).
 *
 * `int8` → number, throws if it is unsafe. `numeric` → bigint, so numeric columns hold integers only.
 */
export const columnParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: parseInt8,
  [NUMERIC]: BigInt,
}
