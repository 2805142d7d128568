import type { ConsoleRouter } from '@lanyard/api/src/console/console-router.ts'
import type { inferRouterOutputs } from '@trpc/server'

/** What each procedure answers. */
export type Outputs = inferRouterOutputs<ConsoleRouter>
