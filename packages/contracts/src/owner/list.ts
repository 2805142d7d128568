import { z } from 'zod'
import { publicInPart } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { networkInteger } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { owner } from './owner.ts'

export const list = endpoint({
  method: 'GET',
  path: '/smart-account/owner',
  tag: 'Owners',
  bucket: 'reads',
  access: publicInPart,
  summary: 'Who owns a wallet, on each network',
  description:
    'Read from the chains. Owners are per network: each of them can act alone, on the networks where it is one. An account that is not deployed on a network has its first owner there, and a network that is added to the service later starts with that one too.',
  query: z.object({ walletAddress }),
  output: z.object({
    networks: z.array(
      z.object({
        network: networkInteger,
        status: z.enum(['up', 'down']).meta({ description: '`down`: the network did not answer.' }),
        deployed: z.boolean().optional(),
        owners: z.array(owner).optional(),
      }),
    ),
  }),
  errors: ['UNKNOWN_WALLET'],
})
