import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { ownershipStatus } from './status-output.ts'

export const status = endpoint({
  method: 'GET',
  path: '/smart-account/ownership',
  tag: 'Owners',
  bucket: 'reads',
  access: withKey,
  summary: "Where a wallet's owner changes, guardians and recoveries stand on each network",
  description:
    'Reads the Ownership module of each network, and lists the signed changes with their progress. A change that is `pending` on a network does not hold there yet.',
  query: z.object({ walletAddress }),
  output: ownershipStatus,
  errors: ['UNKNOWN_WALLET'],
})
