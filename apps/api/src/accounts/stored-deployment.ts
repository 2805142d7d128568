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
  saltNonce: z.string().transform(BigInt),
}) satisfies z.ZodType<AccountDeployment>

/** The `deployment` column: JSON has no bigint, so the salt nonce is a decimal string. */
export const toStoredDeployment = (deployment: AccountDeployment) => ({
  ...deployment,
  saltNonce: deployment.saltNonce.toString(),
})

/** The inverse; a database that was tampered with must not move an account. */
export const fromStoredDeployment = (stored: unknown): AccountDeployment => storedDeployment.parse(stored)
