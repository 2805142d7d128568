import type { EndpointDeclaration, endpoints } from '@lanyard/contracts'
import type { ProcedureOf } from '../pipeline/implement.ts'

type Table = typeof endpoints

/**
 * A procedure for every endpoint of the table: if one is missing, the compiler names it at `procedures` in
 * routers/index.generated.ts.
 */
export type Procedures = {
  [Noun in keyof Table]: {
    [Verb in keyof Table[Noun]]: Table[Noun][Verb] extends infer E extends EndpointDeclaration
      ? ProcedureOf<E>
      : never
  }
}
