import { z } from 'zod'
import { idempotencyKeyHeader, idempotencyKeyPattern } from '../../pipeline/idempotency/key-format.ts'

/** The additional request headers of a mutation. */
export const idempotencyHeaders = z.object({
  [idempotencyKeyHeader]: z
    .string()
    .regex(idempotencyKeyPattern)
    .optional()
    .meta({
      description:
        'A text of your choice, such as a new UUID, that makes a retry safe. For 24 hours, the same key with the same request gets the first answer again (with `Idempotency-Replayed: true`), and with another request it is rejected. If the first request failed for a temporary reason (5xx, a lack of funds), it runs again.',
      param: { id: 'IdempotencyKey' },
    }),
})

/** The headers of an answer that says when to try again. */
export const retryHeaders = z.object({
  'Retry-After': z
    .int()
    .min(1)
    .max(3600)
    .meta({ description: 'Seconds.', header: { id: 'RetryAfter' } }),
  'RateLimit-Policy': z.string().meta({
    description: 'Each limit and its window in seconds.',
    example: '"calls";q=600;w=60',
    header: { id: 'RateLimitPolicy' },
  }),
  RateLimit: z.string().meta({
    description: 'What is left of each limit, and the seconds until it is full again.',
    example: '"calls";r=0;t=12',
    header: { id: 'RateLimit' },
  }),
})
