import { z } from 'zod'
import { publicInPart } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { flag } from '../primitives/flag.ts'
import { networkInteger } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { owner } from './owner.ts'

export const list = endpoint({
  method: 'GET',
  path: '/smart-account/owner',
  tag: 'Owners',
  bucket: 'reads',
  access: publicInPart,
  scope: 'support',
  summary: 'The owners of a wallet, on each network',
  description:
    'Reads the owners from the chains. Each network has its own owners, and each owner can act alone there. If an account is not deployed on a network, its first owner is the owner there. The same is true for a network that is added to the service later.',
  query: z.object({
    walletAddress,
    parts: flag.optional().meta({
      description: 'Also answers what else can act for the account, or refuses what it does.',
    }),
  }),
  output: z.object({
    networks: z.array(
      z.object({
        network: networkInteger,
        status: z.enum(['up', 'down']).meta({ description: '`down`: the network did not answer.' }),
        deployed: z.boolean().optional(),
        owners: z.array(owner).optional(),
        parts: z
          .object({
            modules: z.array(addressOutput).meta({
              description: 'Contracts that can act for the account, in its order: at most 100.',
            }),
            fallbackHandler: addressOutput.meta({
              description:
                'It answers what the account itself does not, and so decides which signatures count.',
            }),
            guard: addressOutput.optional().meta({
              description: 'A contract that can refuse transactions. Absent: none.',
            }),
          })
          .optional()
          .meta({ description: 'Only if they were asked for, and the account is deployed there.' }),
      }),
    ),
  }),
  errors: ['UNKNOWN_WALLET'],
})
