import type { ObserveSigning } from '@lanyard/signers'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import { type SignerFailure, signerFailures } from './label-values.ts'
import type { Metrics, SignerRole } from './metrics.ts'

/** Counts and times the requests to a remote signer for keys of one role. */
export const observeSigner =
  (metrics: Pick<Metrics, 'countSignature'>, role: SignerRole): ObserveSigning =>
  async (sign) => {
    const began = performance.now()
    const count = (code?: SignerFailure) =>
      metrics.countSignature({ role, seconds: (performance.now() - began) / 1000, code })
    try {
      const signature = await sign()
      count()
      return signature
    } catch (error) {
      count(signerFailures.find((code) => code === toLanyardError(error).code) ?? 'SIGNER_FAILED')
      throw error
    }
  }
