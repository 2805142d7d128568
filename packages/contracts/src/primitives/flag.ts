import { z } from 'zod'

/** A boolean in a query string. */
export const flag = z.union([z.boolean(), z.stringbool()]).meta({ type: 'boolean' })
