import type { Network } from '@lanyard/networks'
import type { DescriptionTerms } from '@lanyard/session-keys'

/** How a network's sessions are described: by what the configuration knows of its tokens. */
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
