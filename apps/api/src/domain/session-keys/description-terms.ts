import type { Network } from '@lanyard/networks'
import type { DescriptionTerms } from '@lanyard/session-keys'

/** The terms in which a network's sessions are described, from the tokens in its configuration. */
export function descriptionTerms(
  { config: { settlementToken } }: Network,
  functions: readonly string[] = [],
): DescriptionTerms {
  return {
    native: { symbol: 'of the native coin', decimals: 18 },
    tokens: settlementToken ? [settlementToken] : [],
    functions,
  }
}
