import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'

export const faucet = endpoint({
  method: 'POST',
  path: '/wallet/faucet',
  tag: 'Wallet',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Play money on a local network',
  description: 'Sends 1 native coin and 100 settlement tokens. Local networks only; elsewhere 403.',
  body: z.object({ walletAddress, network }),
  output: z.object({
    native: decimalOutput.meta({ description: 'wei sent' }),
    token: decimalOutput.meta({ description: "Sent, in the token's base units." }),
    txnHashes: z.array(hexOutput),
  }),
  errors: ['UNKNOWN_NETWORK', 'UNKNOWN_WALLET', 'NETWORK_UNAVAILABLE', 'NETWORK_FAILED'],
})
