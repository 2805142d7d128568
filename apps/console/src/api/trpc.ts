import type { ConsoleRouter } from '@lanyard/api/console-router'
import { createTRPCClient, httpLink } from '@trpc/client'

/** The console's own procedures. Each call is its own request, so that a slow network delays nothing else. */
export const trpc = createTRPCClient<ConsoleRouter>({ links: [httpLink({ url: '/trpc' })] })
