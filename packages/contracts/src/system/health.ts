import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { networkInteger } from '../primitives/network.ts'

const checkStatus = z.enum(['up', 'down'])

export const health = endpoint({
  method: 'GET',
  path: '/health',
  tag: 'Service',
  summary: 'Whether the service can work',
  description:
    '200 with `ok` or `degraded` (some network is down); 503 without the database or without any network.',
  output: z
    .object({
      status: z.enum(['ok', 'degraded', 'down']),
      version: z.string(),
      checks: z.object({
        database: checkStatus,
        networks: z.array(
          z.object({ network: networkInteger, status: checkStatus, block: decimalOutput.nullable() }),
        ),
      }),
    })
    .meta({ id: 'Health' }),
})
