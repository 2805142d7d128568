import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { nativeCurrency } from '../primitives/native-currency.ts'
import { networkInteger } from '../primitives/network.ts'
import { accountKind } from '../smart-account/account-kind.ts'

export const networks = endpoint({
  method: 'GET',
  path: '/networks',
  tag: 'Service',
  bucket: 'calls',
  access: withKey,
  scope: 'support',
  summary: 'The networks of this service',
  description: 'Includes the contracts and tokens that the service uses on each network.',
  output: z.object({
    networks: z.array(
      z.object({
        network: networkInteger,
        name: z.string(),
        rpcUrl: z
          .url()
          .optional()
          .meta({ description: 'Present for local networks, and if a public URL is configured.' }),
        explorerUrl: z.url().optional(),
        nativeCurrency,
        entryPoint: addressOutput,
        accountKinds: z.array(accountKind).meta({ description: 'The kinds of accounts on this network.' }),
        smartBalance: addressOutput
          .nullable()
          .meta({ description: '`null`: no smart balance on this network.' }),
        sessionKeys: addressOutput
          .nullable()
          .meta({ description: '`null`: no session keys on this network.' }),
        settlementToken: z
          .object({ address: addressOutput, symbol: z.string(), decimals: z.int().nonnegative() })
          .nullable(),
      }),
    ),
  }),
})
