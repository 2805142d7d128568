/** Compiled, never run: the router that clients type against is the one that is served, in both directions. */
import type { AppRouter as Published } from '@lanyard/client/trpc'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter as Served } from '../../src/routers/router.ts'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never

export const inputs: Same<inferRouterInputs<Served>, inferRouterInputs<Published>> = true
export const outputs: Same<inferRouterOutputs<Served>, inferRouterOutputs<Published>> = true
