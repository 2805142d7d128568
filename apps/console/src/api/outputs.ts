import type { ConsoleRouter } from '@lanyard/api/console-router'
import type { inferRouterOutputs } from '@trpc/server'

/** What each procedure answers. */
export type Outputs = inferRouterOutputs<ConsoleRouter>
