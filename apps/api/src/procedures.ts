import type { EndpointDeclaration, endpoints } from '@lanyard/contracts'
import type { ProcedureOf } from './implement.ts'

type Table = typeof endpoints

/** The verbs of a noun that are not planned for later. */
type Offered<Verbs> = {
  [V in keyof Verbs as Verbs[V] extends { availability: 'planned' } ? never : V]: Verbs[V]
}

/**
 * A procedure for every endpoint of the table that is not planned, and none for those that are: where one is
 * missing, the compiler names it at `procedures` in routers/index.generated.ts.
 */
export type Procedures = {
  [Noun in keyof Table as keyof Offered<Table[Noun]> extends never ? never : Noun]: {
    [Verb in keyof Offered<Table[Noun]>]: Offered<Table[Noun]>[Verb] extends infer E extends
      EndpointDeclaration
      ? ProcedureOf<E>
      : never
  }
}
