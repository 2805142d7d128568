import type { ConsoleRouter } from '@lanyard/api/src/console/console-router.ts'
import { createTRPCClient, httpLink } from '@trpc/client'

/** The console's own procedures. Each call is its own request, so that a slow network delays nothing else. */
export const trpc = createTRPCClient<ConsoleRouter>({ links: [httpLink({ url: '/trpc' })] })
