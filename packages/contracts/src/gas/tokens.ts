import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { networkInteger } from '../primitives/network.ts'

export const tokens = endpoint({
  method: 'GET',
  path: '/gas/tokens',
  tag: 'Service',
  bucket: 'reads',
  access: withKey,
  scope: 'support',
  summary: 'Tokens in which an account can pay for gas',
  description:
    'One entry for each gas policy with a charge and each of its networks. Whether a policy applies to an operation is decided when it is built. A token whose price cannot be read, or is not plausible, is left out.',
  output: z.object({
    tokens: z.array(
      z.object({
        network: networkInteger,
        policy: z.string(),
        token: addressOutput,
        symbol: z.string(),
        decimals: z.int().nonnegative(),
        rate: decimalOutput.meta({
          description: 'Base units of the token for 10^18 wei of gas, with the markup.',
        }),
        markup: z.number().meta({ description: 'Percent.' }),
        source: z.enum(['fixed', 'chainlink']),
        at: z.iso
          .datetime()
          .optional()
          .meta({ description: 'When the source set the price. Absent for a fixed one.' }),
      }),
    ),
  }),
})
