import type { Address } from 'viem'
import type { LanyardClient } from './client.ts'
import type { SmartAccountBuildData, Submission } from './generated/types.gen.ts'
import { type BuildSigner, signOperation } from './sign-build.ts'

/**
 * Builds, verifies, signs and submits an operation, and waits for inclusion.
 *
 * @example
 * const { txnHash, success } = await send(lanyard, {
 *   signer: privateKeyToAccount(key),
 *   request: { network: '31337', walletAddress: owner, transactionDetails },
 * })
 * @throws LanyardApiError, BuildVerificationError
 */
export async function send(
  client: LanyardClient,
  {
    request,
    signer,
    account,
  }: {
    readonly request: SmartAccountBuildData['body']
    readonly signer: BuildSigner
    /** As `signBuild` takes it. */
    readonly account?: Address | undefined
  },
): Promise<Submission> {
  const build = await client.smartAccount.build(request)
  const signed = await signOperation({ build, request, signer, account })
  return client.smartAccount.submit({ ...signed, walletAddress: request.walletAddress })
}
