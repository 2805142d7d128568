import { z } from 'zod'
import { address } from '../primitives/address.ts'
import { username } from '../primitives/username.ts'

/** How people name an account that is not theirs. No username begins like an address. */
export const accountName = z
  .union(
    [address, username.refine((value) => !/^0x/i.test(value), 'Expected an address or a username')],
    'Expected an address or a username',
  )
  .meta({
    type: 'string',
    description: 'The address of the smart account, or of the EOA that owns it, or a username.',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
