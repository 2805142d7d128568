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

/** What is subscribed to: events, as `GET /events` streams them. */
type Subscriptions = {
  events: {
    listen: TRPCSubscriptionProcedure<{
      meta: unknown
      input: EventListenInput
      output: AsyncIterable<{ id: string; data: EventMessage }>
    }>
  }
}

/** `error` of a failed call: `error.data` is the body that REST answers, and its status. */
interface ErrorShape {
  message: string
  code: number
  data: ErrorBody & { httpStatus: number }
}

/**
 * The service's tRPC router as a type alone, derived from the table of endpoints; nothing of the server comes along.
 *
 * @example
 * const trpc = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: 'http://127.0.0.1:3000/trpc' })] })
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  Procedures & Subscriptions
>
