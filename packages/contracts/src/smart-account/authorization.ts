import { z } from 'zod'
import { address, addressOutput } from '../primitives/address.ts'
import { hash } from '../primitives/hex.ts'

/** A number below 2^53 as signers return it: an integer, or its decimal or hex text. */
const integer = z
  .union([z.int(), z.string().regex(/^(0x[0-9a-fA-F]{1,13}|\d{1,15})$/)], 'Expected an integer')
  .transform(Number)
  .pipe(z.int().nonnegative())
  .meta({ type: 'integer' })

/** What an EOA signs to run the code of a contract (EIP-7702). */
export const authorizationRequest = z
  .object({
    chainId: z.int(),
    address: addressOutput.meta({ description: 'The contract whose code the account runs.' }),
    nonce: z.int().meta({ description: "The account's nonce now. A transaction of the account uses it up." }),
  })
  .meta({ id: 'AuthorizationRequest' })

/** The same, signed: `signAuthorization` of viem and of wallet SDKs returns it. */
export const signedAuthorization = z
  .object({
    chainId: integer,
    address,
    nonce: integer,
    yParity: integer.optional(),
    v: integer.optional().meta({ description: 'Instead of `yParity`: 27 or 28.' }),
    r: hash,
    s: hash,
  })
  .transform(({ yParity, v, ...rest }, context) => {
    const parity = yParity ?? (v === undefined ? undefined : v >= 27 ? v - 27 : v)
    if (parity === 0 || parity === 1) return { ...rest, yParity: parity }
    context.addIssue('Expected yParity 0 or 1, or v 27 or 28')
    return z.NEVER
  })
  .meta({ id: 'SignedAuthorization' })
