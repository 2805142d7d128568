import type { EndpointDeclaration } from '@lanyard/contracts'
import { z } from 'zod'

/** Merges query and body of a declaration into the single object that its procedure takes. */
export function inputSchema({ query, body }: EndpointDeclaration): z.ZodObject {
  return z.object({ ...query?.shape, ...body?.shape })
}
