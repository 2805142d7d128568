import type { AccountDeployment } from '@lanyard/accounts'
import { address } from '@lanyard/contracts'
import { z } from 'zod'

const storedDeployment = z.object({
  singleton: address,
  factory: address,
  module: address,
  moduleSetup: address,
  sharedSigner: address,
  multiSend: address,
  multiSendCallOnly: address,
  signerFactory: address,
  entryPoint: address,
  ownership: address.optional(),
  saltNonce: z.string().transform(BigInt),
}) satisfies z.ZodType<AccountDeployment>

/** The `deployment` column: JSON has no bigint, so the salt nonce is a decimal string. */
export const toStoredDeployment = (deployment: AccountDeployment) => ({
  ...deployment,
  saltNonce: deployment.saltNonce.toString(),
})

/**
 * Keyed by the JSON text. There is one entry per version of the contracts; parsing one hashes ten addresses.
 */
const parsed = new Map<string, AccountDeployment>()

const maxParsed = 100

/**
 * The inverse of `toStoredDeployment`. It validates the value: a manipulated database must not change an
 * account's address.
 */
export function fromStoredDeployment(stored: unknown): AccountDeployment {
  const text = JSON.stringify(stored)
  const known = parsed.get(text)
  if (known) return known
  const deployment = Object.freeze(storedDeployment.parse(stored))
  if (parsed.size < maxParsed) parsed.set(text, deployment)
  return deployment
}
