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
    '200 with `ok` or `degraded` (some network is down); 503 with `down`, without the database or without any network, and with `draining` when the service is about to end: it still answers, and wants no new requests.',
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
              description: 'Its RPCs failed several times in a row and are left alone for a moment.',
            }),
          }),
        ),
      }),
    })
    .meta({ id: 'Health' }),
})
