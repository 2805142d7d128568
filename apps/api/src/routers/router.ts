import { router } from '../pipeline/trpc.ts'
import { procedures } from './index.generated.ts'
import { subscriptions } from './subscriptions.ts'

/**
 * All procedures, `<noun>.<verb>`: served at /trpc, and by the REST adapter at the declared paths; and
 * subscriptions.
 */
export const appRouter = router({ ...procedures, ...subscriptions })

export type AppRouter = typeof appRouter
