import type { ConsoleRouter } from '@lanyard/api/console-router'
import { createTRPCClient, httpLink } from '@trpc/client'
import { confirmLink, headersOf } from './confirm-link.ts'

/** The console's own procedures. Each call is its own request, so that a slow network delays nothing else. */
export const trpc = createTRPCClient<ConsoleRouter>({
  links: [confirmLink, httpLink({ url: '/trpc', headers: headersOf })],
})
