import type { EndpointDeclaration, EndpointInput, EndpointOutput, endpoints } from '@lanyard/contracts'
import type { TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server'

interface Shape<E extends EndpointDeclaration> {
  input: EndpointInput<E>
  output: EndpointOutput<E>
  meta: unknown
}

type Procedure<E extends EndpointDeclaration> = E['method'] extends 'GET'
  ? TRPCQueryProcedure<Shape<E>>
  : TRPCMutationProcedure<Shape<E>>

type Procedures = {
  [Noun in keyof typeof endpoints]: {
    [Verb in keyof (typeof endpoints)[Noun]]: (typeof endpoints)[Noun][Verb] extends infer E extends
      EndpointDeclaration
      ? Procedure<E>
      : never
  }
}

/** The service's router as a type, derived from the table of endpoints. */
export type AppRouter = TRPCBuiltRouter<
  {
    ctx: object
    meta: object
    errorShape: { code: number; message: string; data: object }
    transformer: false
  },
  Procedures
>
