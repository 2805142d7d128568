import { getAddress, isAddress, isHex } from 'viem'
import { z } from 'zod'

const address = z
  .string()
  .refine((text) => isAddress(text, { strict: false }), 'Expected an address')
  .transform((text) => getAddress(text))
const hex = z.custom<`0x${string}`>((value) => isHex(value), 'Expected 0x and hex digits')

const network = z.object({
  network: z.int().positive(),
  name: z.string(),
  nativeCurrency: z
    .object({ name: z.string().max(40), symbol: z.string().max(12), decimals: z.int().min(0).max(36) })
    .exactOptional(),
  rpcUrl: z.url().exactOptional(),
  smartBalance: address.exactOptional(),
  tokens: z.array(address),
})

/** The recovery kit as the wallet writes it or as the service returns it. Additional members are allowed. */
export const kitFile = z.object({
  walletAddress: address,
  factory: address,
  singleton: address,
  saltNonce: z.string().regex(/^\d+$/, 'Expected a decimal number'),
  initializer: hex,
  module: address,
  entryPoint: address,
  ownership: address.exactOptional(),
  eoaAddress: address.optional(),
  passkey: z.object({ rpId: z.string(), x: hex, y: hex, verifiers: hex, sharedSigner: address }).optional(),
  credentialIds: z.array(z.string()).default([]),
  networks: z.array(network),
})

export type KitFile = z.output<typeof kitFile>
