import { router } from '../pipeline/trpc.ts'
import { procedures } from './index.generated.ts'

/** Every procedure, `<noun>.<verb>`: served at /trpc, and by the REST adapter at the declared paths. */
export const appRouter = router(procedures)

export type AppRouter = typeof appRouter
