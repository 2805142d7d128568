import { procedures } from './routers/index.generated.ts'
import { router } from './trpc.ts'

/** Every procedure, `<noun>.<verb>`: served at /trpc, and by the REST adapter at the declared paths. */
export const appRouter = router(procedures)

export type AppRouter = typeof appRouter
