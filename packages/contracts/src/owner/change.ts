import { z } from 'zod'
import { ownerConsent } from '../ownership/change.ts'
import { address } from '../primitives/address.ts'
import { networkInteger } from '../primitives/network.ts'
import { transactionDetailOutput } from '../smart-account/transaction-detail.ts'
import { walletAddress } from '../smart-account/wallet.ts'

const credentialId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,1364}$/, 'Expected base64url')
  .meta({ description: "A passkey of the wallet's user. It needs the user's token." })

/** The owner to add or remove: either an address or a passkey. */
export const ownerChange = z.object({
  walletAddress,
  ownerAddress: address.optional().meta({ description: 'An EOA. To remove: any owner.' }),
  credentialId: credentialId.optional(),
})

/** The owner to add. */
export const ownerAddition = ownerChange.extend({ ownerSignature: ownerConsent })

/** What the wallet's owner must sign, network by network. */
export const ownerChangePlan = z
  .object({
    networks: z
      .array(
        z.object({
          network: networkInteger,
          status: z.enum(['pending', 'done', 'down']).meta({
            description:
              '`pending`: sign `transactionDetails` there. `done`: nothing is left to do. `down`: the network did not answer, so ask again later.',
          }),
          transactionDetails: z.array(transactionDetailOutput).optional(),
        }),
      )
      .meta({ description: 'All networks. The change is complete once each is `done`.' }),
  })
  .meta({ id: 'OwnerChange' })
