import { z } from 'zod'
import { open } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { networkInteger } from '../primitives/network.ts'

const checkStatus = z.enum(['up', 'down'])

export const health = endpoint({
  method: 'GET',
  path: '/health',
  tag: 'Service',
  bucket: 'health',
  access: open,
  summary: 'Whether the service can work',
  description:
    '200 with `ok` or `degraded` (some network is down, or its providers limit requests). 503 with `down` if the database or all networks are down. 503 with `draining` if the service is about to end: it still answers, but should get no new requests.',
  output: z
    .object({
      status: z.enum(['ok', 'degraded', 'down', 'draining']),
      version: z.string(),
      checks: z.object({
        database: checkStatus,
        networks: z.array(
          z.object({
            network: networkInteger,
            status: checkStatus,
            block: decimalOutput.nullable(),
            circuit: z.literal('open').optional().meta({
              description:
                'Its RPCs failed several times in a row, so the service does not call them for a moment.',
            }),
            rateLimit: z.int().positive().optional().meta({
              description:
                'Its RPC providers limit the number of requests: seconds until one takes them again. Nothing is down, and requests wait. `block` is `null` then.',
            }),
          }),
        ),
      }),
    })
    .meta({ id: 'Health' }),
})
