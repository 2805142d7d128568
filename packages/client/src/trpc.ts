import type {
  EndpointDeclaration,
  EndpointInput,
  EndpointOutput,
  ErrorBody,
  EventListenInput,
  EventMessage,
  endpoints,
} from '@lanyard/contracts'
import type {
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server'

type Table = typeof endpoints

type CallInput<E extends EndpointDeclaration> =
  Record<never, never> extends EndpointInput<E> ? EndpointInput<E> | undefined : EndpointInput<E>

interface CallTypes<E extends EndpointDeclaration> {
  meta: unknown
  input: CallInput<E>
  output: EndpointOutput<E>
}

type ProcedureOf<E extends EndpointDeclaration> = E['method'] extends 'GET'
  ? TRPCQueryProcedure<CallTypes<E>>
  : TRPCMutationProcedure<CallTypes<E>>

type Procedures = {
  [Noun in keyof Table]: {
    [Verb in keyof Table[Noun]]: Table[Noun][Verb] extends infer E extends EndpointDeclaration
      ? ProcedureOf<E>
      : never
  }
}

/** The subscriptions: events, as `GET /events` streams them. */
type Subscriptions = {
  events: {
    listen: TRPCSubscriptionProcedure<{
      meta: unknown
      input: EventListenInput
      output: AsyncIterable<{ id: string; data: EventMessage }>
    }>
  }
}

/** The `error` of a failed call. `error.data` contains REST's error body and its status. */
interface ErrorShape {
  message: string
  code: number
  data: ErrorBody & { httpStatus: number }
}

/**
 * The type of the service's tRPC router, derived from the table of endpoints. It imports no server code.
 *
 * @example
 * const trpc = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: 'http://127.0.0.1:3000/trpc' })] })
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  Procedures & Subscriptions
>
