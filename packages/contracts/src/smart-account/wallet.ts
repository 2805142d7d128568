import { z } from 'zod'
import { address, addressOutput } from '../primitives/address.ts'
import { networkInteger } from '../primitives/network.ts'

/** An account on one network. */
export const networkAccount = z
  .object({
    network: networkInteger,
    address: addressOutput,
    deployed: z.boolean().meta({
      description:
        'If the account is not deployed, its first operation deploys it. An EOA is deployed where it delegates to a contract.',
    }),
  })
  .meta({ id: 'NetworkAccount' })

/** How requests identify a wallet. */
export const walletAddress = address.meta({
  description: 'The address of the smart account, or of the EOA that owns it.',
  example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
})

/** The wallet of an EOA. */
export const eoaWallet = z
  .object({
    type: z.literal('EOA'),
    scw_address: addressOutput.meta({ description: 'The smart account, the same on every network.' }),
    account_kind: z.enum(['safe', 'eip7702']),
    multi_scw: z.array(networkAccount),
    eoa_address: addressOutput,
  })
  .meta({ id: 'EoaWallet' })
