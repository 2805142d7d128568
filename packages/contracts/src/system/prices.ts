import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { networkInteger } from '../primitives/network.ts'

export const prices = endpoint({
  method: 'GET',
  path: '/prices',
  tag: 'Service',
  bucket: 'calls',
  access: withKey,
  scope: 'support',
  summary: 'Prices of coins and tokens, to show',
  description:
    'From the source that the operator names in PRICE_SOURCE. The service itself decides nothing by them. A price that is missing, implausible or too old is left out, and without a source the list is empty. It never fails because a source does.',
  output: z.object({
    prices: z.array(
      z.object({
        network: networkInteger,
        token: addressOutput.nullable().meta({ description: "`null`: the network's native coin." }),
        currency: z.literal('USD'),
        price: z
          .string()
          .meta({ description: 'Of one whole coin or token, exact.', pattern: '^\\d{1,12}(\\.\\d{1,18})?$' }),
        at: z.iso.datetime().meta({ description: 'When the source set it.' }),
        source: z.enum(['chainlink', 'http']),
      }),
    ),
  }),
})
