import { LanyardError } from '@lanyard/contracts'
import { DeploymentError } from '@lanyard/onchain'
import { KeystoreError } from '@lanyard/signers'
import { BaseError } from 'viem'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import { CliError } from './cli-error.ts'

/**
 * A plain message for errors that a person can fix, and the stack for unexpected ones. RPC addresses are
 * removed, because they may contain keys.
 */
export function explain(error: unknown): { code: string; message: string } {
  if (error instanceof CliError || error instanceof DeploymentError || error instanceof LanyardError)
    return error
  if (error instanceof KeystoreError) return { code: 'KEYSTORE', message: error.message }
  if (error instanceof ConfigurationError) return { code: 'CONFIGURATION', message: error.message }
  if (error instanceof BaseError)
    return { code: 'NETWORK_FAILED', message: `${error.shortMessage} ${error.details}` }
  return {
    code: 'INTERNAL',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
}
