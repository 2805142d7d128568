import { z } from 'zod'
import { address, addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'

/** The token in which the account pays for the gas. */
export const feeToken = address.meta({
  description:
    'The account pays for the gas in this token, one of `GET /gas/tokens`. The first call of the operation then approves the most that it can cost. Not with `paymasterData`, `orderData` or a session key.',
})

/** What an operation can cost in a token. */
export const tokenFee = z
  .object({
    token: addressOutput,
    symbol: z.string(),
    decimals: z.int().nonnegative(),
    maximum: decimalOutput.meta({
      description:
        'Base units of the token: the approved amount. What it really costs is taken after its calls.',
    }),
    rate: decimalOutput.meta({ description: 'Base units of the token for 10^18 wei, with the markup.' }),
  })
  .meta({ description: 'With `feeToken`: what the operation can cost in it.' })

/** What an included operation paid for its gas in a token. */
export const feePaid = z
  .object({ token: addressOutput, amount: decimalOutput.meta({ description: 'Base units of the token.' }) })
  .meta({ description: 'What the account paid for the gas in a token. Absent: it paid in another way.' })
