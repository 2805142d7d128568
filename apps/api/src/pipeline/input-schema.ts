import type { EndpointDeclaration } from '@lanyard/contracts'
import { z } from 'zod'

/** Query and body of a declaration as the one object that its procedure takes. */
export function inputSchema({ query, body }: EndpointDeclaration): z.ZodObject {
  return z.object({ ...query?.shape, ...body?.shape })
}
