import { z } from 'zod'
import { open } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { type Hex, hexOutput } from '../primitives/hex.ts'

/** userOpHash ‖ chain id, 32 bytes each. */
const bundleId = z
  .string()
  .regex(/^0x[0-9a-fA-F]{128}$/, 'Expected 64 bytes: 0x and 128 hex digits')
  .transform((value) => value.toLowerCase() as Hex) // the expression above ensures the prefix
  .meta({
    type: 'string',
    pattern: '^0x[0-9a-fA-F]{128}$',
    example: `0x${'22'.repeat(32)}${'7a69'.padStart(64, '0')}`,
    description:
      'The id that `wallet_sendCalls` returned: the hash of the user operation and the chain id, 32 bytes each.',
  })

export const callsStatus = endpoint({
  method: 'GET',
  path: '/connect/calls-status',
  tag: 'Connect',
  bucket: 'reads',
  access: open,
  origins: 'any',
  summary: 'Status of a bundle of calls',
  description:
    '`wallet_getCallsStatus` of EIP-5792, for pages of any origin and without a key, since the same data is on chain. An unknown bundle is 404, with `rpcCode` 5730.',
  query: z.object({ id: bundleId }),
  output: z.object({
    version: z.literal('2.0.0'),
    id: hexOutput,
    chainId: hexOutput,
    atomic: z.literal(true),
    status: z.int().meta({ description: '100 pending, 200 confirmed, 400 not included, 500 reverted.' }),
    receipts: z
      .array(
        z.object({
          logs: z.array(z.object({ address: hexOutput, data: hexOutput, topics: z.array(hexOutput) })),
          status: hexOutput.meta({ description: '`0x1` success, `0x0` reverted.' }),
          blockHash: hexOutput,
          blockNumber: hexOutput,
          gasUsed: hexOutput,
          transactionHash: hexOutput,
        }),
      )
      .optional()
      .meta({ description: 'Present once included: one receipt, with the logs of these calls.' }),
  }),
  errors: ['UNKNOWN_OPERATION', 'NETWORK_FAILED', 'NETWORK_UNAVAILABLE'],
})
