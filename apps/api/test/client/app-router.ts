/** A compile-time check that the published router type equals the type of the served router. Nothing here runs. */
import type { AppRouter as Published } from '@lanyard/client/trpc'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter as Served } from '../../src/routers/router.ts'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never

export const inputs: Same<inferRouterInputs<Served>, inferRouterInputs<Published>> = true
export const outputs: Same<inferRouterOutputs<Served>, inferRouterOutputs<Published>> = true
